import { secondsText } from "@/components/charts/axis-text.ts";

/** `14:31:54 UTC`, for times of today. */
export function clockText(at: number): string {
  return `${secondsText(at)} UTC`;
}
