import { Check, CircleAlert, Minus, PencilLine, ShieldCheck, UserRound } from "lucide-react";
import { classes } from "@/components/ui/classes.ts";
import type { LineStatus, PreviewedLine } from "@/lib/manage/lists/previewed-lines.ts";

/** Icon and colour of a line's verdict. Each has its own shape. */
export const signs = {
  add: { icon: <Check />, colour: "text-pass" },
  safelisted: { icon: <ShieldCheck />, colour: "text-safelisted" },
  own: { icon: <UserRound />, colour: "text-throttled" },
  ask: { icon: <PencilLine />, colour: "text-throttled" },
  wrong: { icon: <CircleAlert />, colour: "text-blocked" },
  none: { icon: <Minus />, colour: "text-text-3" },
};
export type Sign = keyof typeof signs;

export function SignIcon({ sign, className }: { sign: Sign; className?: string }) {
  const { icon, colour } = signs[sign];
  return <span className={classes("inline-flex", colour, className)}>{icon}</span>;
}

interface Verdict {
  readonly sign: Sign;
  /** Shown at the line's end. */
  readonly word: string;
}

const verdicts: Readonly<Record<LineStatus, Verdict>> = {
  new: { sign: "add", word: "Add" },
  extends: { sign: "add", word: "Extend" },
  kept: { sign: "none", word: "Already there" },
  covered: { sign: "none", word: "Covered" },
  safelisted: { sign: "safelisted", word: "Safelisted" },
  own: { sign: "own", word: "Your address" },
  protected: { sign: "wrong", word: "Protected" },
  "too-wide": { sign: "wrong", word: "Too wide" },
  confirm: { sign: "ask", word: "Type it again" },
  "not-an-address": { sign: "wrong", word: "Not an address" },
  duplicate: { sign: "none", word: "Duplicate" },
  unreadable: { sign: "wrong", word: "Unreadable" },
  refused: { sign: "wrong", word: "Refused" },
};

export function verdictOf({ status, address }: PreviewedLine): Verdict {
  const { sign, word } = verdicts[status];
  const length = status === "new" ? address?.split("/")[1] : undefined;
  return { sign, word: length === undefined ? word : `${word}, whole /${length}` };
}
