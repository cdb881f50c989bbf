import { classes } from "./classes.ts";
import { cleanText } from "./untrusted-text.ts";

export interface UntrustedProps {
  text: string;
  /** Characters that are shown; the rest is in the title. */
  max?: number | undefined;
  className?: string | undefined;
}

/** Text that somebody else wrote. It cannot run, hide, turn round what stands beside it, or break the layout. */
export function Untrusted({ text, max = 200, className }: UntrustedProps) {
  const clean = cleanText(text, max);
  return (
    <bdi title={clean.whole} className={classes("wrap-anywhere", className)}>
      {clean.text}
    </bdi>
  );
}
