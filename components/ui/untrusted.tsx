import { classes } from "./classes.ts";
import { cleanText } from "./untrusted-text.ts";

interface UntrustedProps {
  text: string;
  /** Number of shown characters. The rest is in the title. */
  max?: number | undefined;
  className?: string | undefined;
}

/** Text from an untrusted source. It cannot run, hide, change the direction of other text, or break the layout. */
export function Untrusted({ text, max = 200, className }: UntrustedProps) {
  const clean = cleanText(text, max);
  return (
    <bdi title={clean.whole} className={classes("wrap-anywhere", className)}>
      {clean.text}
    </bdi>
  );
}
