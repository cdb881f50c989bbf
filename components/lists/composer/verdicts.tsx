import { Check, CircleAlert, Minus, PencilLine, ShieldCheck, UserRound, WandSparkles } from "lucide-react";
import { classes } from "@/components/ui/classes.ts";
import type { LineStatus } from "@/lib/manage/lists/previewed-lines.ts";
import { suggestionsOf, type TypedLine } from "./typed-lines.ts";

/** Icon and colour of a line's verdict. Each has its own shape. */
export const signs = {
  add: { icon: <Check />, colour: "text-pass" },
  safelisted: { icon: <ShieldCheck />, colour: "text-safelisted" },
  own: { icon: <UserRound />, colour: "text-throttled" },
  suggest: { icon: <WandSparkles />, colour: "text-text-2" },
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
  tags: { sign: "add", word: "Tag" },
  kept: { sign: "none", word: "Already there" },
  covered: { sign: "none", word: "Covered" },
  safelisted: { sign: "safelisted", word: "Safelisted" },
  own: { sign: "own", word: "Your address" },
  protected: { sign: "wrong", word: "Protected" },
  "too-wide": { sign: "wrong", word: "Too wide" },
  confirm: { sign: "ask", word: "Type it again" },
  customer: { sign: "own", word: "Customer" },
  "no-address": { sign: "none", word: "No address" },
  "not-an-address": { sign: "wrong", word: "Not an address" },
  duplicate: { sign: "none", word: "Duplicate" },
  unreadable: { sign: "wrong", word: "Unreadable" },
  refused: { sign: "wrong", word: "Refused" },
};

/** Verdict of a line, from those of its addresses. */
export function verdictOf(line: Pick<TypedLine, "text" | "judged">): Verdict | undefined {
  const { text, judged } = line;
  const [first] = judged;
  if (!first) return undefined;
  const suggested = suggestionsOf(line);
  if (suggested.length > 0)
    return {
      sign: "suggest",
      word: `Use ${suggested.length === 1 ? suggested[0] : `${suggested.length} lines`}`,
    };
  const added = judged.filter(({ status }) => ["new", "extends", "tags"].includes(status));
  if (judged.length > 1 && added.length > 0) {
    const count = added.length === judged.length ? `${added.length}` : `${added.length} of ${judged.length}`;
    return { sign: "add", word: `Add ${count} ranges` };
  }
  const { status, address, owners: [owner] = [] } = first;
  const { sign, word } = verdicts[status];
  if (status === "customer" && owner) return { sign, word: `${word} ${owner.customer}` };
  if (address === undefined || sign !== "add") return { sign, word };
  // What is read in other text is named.
  if (!text.trim().toLowerCase().startsWith(address)) return { sign, word: `${word} ${address}` };
  const length = status === "new" ? address.split("/")[1] : undefined;
  return { sign, word: length === undefined ? word : `${word}, whole /${length}` };
}
