import type { ReactNode } from "react";
import { Badge } from "./badge.tsx";
import { classes } from "./classes.ts";
import { type Tone, toneText } from "./tone.ts";
import { toneIcon } from "./tone-icon.tsx";

export type VerdictName = Exclude<Tone, "plain">;

/** Name of each verdict. */
export const verdictWords: Readonly<Record<VerdictName, string>> = {
  pass: "Passed",
  throttled: "Throttled",
  blocked: "Blocked",
  safelisted: "Safelisted",
  shadow: "Would throttle",
};

interface VerdictBadgeProps {
  verdict: VerdictName;
  isLarge?: boolean | undefined;
  /** Replaces the name of the verdict. */
  children?: ReactNode;
}

export function VerdictBadge({ verdict, isLarge, children }: VerdictBadgeProps) {
  return (
    <Badge tone={verdict} icon={toneIcon(verdict)} isLarge={isLarge}>
      {children ?? verdictWords[verdict]}
    </Badge>
  );
}

/** Icon of a verdict. Needs a text beside it. */
export function VerdictIcon({ verdict, className }: { verdict: VerdictName; className?: string }) {
  return <span className={classes("inline-flex", toneText[verdict], className)}>{toneIcon(verdict)}</span>;
}
