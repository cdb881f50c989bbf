import { classes } from "./classes.ts";

/** Look of text fields. Text is 16 px on phones, because iOS zooms into smaller text. */
export function inputLook({ isInvalid, isMono }: { isInvalid: boolean; isMono: boolean }): string {
  return classes(
    "w-full min-w-0 rounded-control border bg-field text-cell text-text transition-colors disabled:opacity-60 max-sm:text-[16px]",
    isInvalid ? "border-blocked-graphic" : "border-control",
    isMono && "font-mono",
  );
}
