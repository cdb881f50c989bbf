import { classes } from "./classes.ts";

/** The box of whatever is typed into. Phones get 16 px of text, or iOS zooms into it. */
export function inputLook({ isInvalid, isMono }: { isInvalid: boolean; isMono: boolean }): string {
  return classes(
    "w-full min-w-0 rounded-control border bg-field text-cell text-text transition-colors disabled:opacity-60 max-sm:text-[16px]",
    isInvalid ? "border-blocked-graphic" : "border-control",
    isMono && "font-mono",
  );
}
