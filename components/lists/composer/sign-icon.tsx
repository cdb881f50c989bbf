import { Check, CircleAlert, Minus, PencilLine, ShieldCheck, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes.ts";
import type { Sign } from "./verdict-words.ts";

/** Each verdict has its own shape. */
const icons: Readonly<Record<Sign, ReactNode>> = {
  add: <Check />,
  safelisted: <ShieldCheck />,
  own: <UserRound />,
  ask: <PencilLine />,
  wrong: <CircleAlert />,
  none: <Minus />,
};

export const signText: Readonly<Record<Sign, string>> = {
  add: "text-pass",
  safelisted: "text-safelisted",
  own: "text-throttled",
  ask: "text-throttled",
  wrong: "text-blocked",
  none: "text-text-3",
};

export function SignIcon({ sign, className }: { sign: Sign; className?: string }) {
  return <span className={classes("inline-flex", signText[sign], className)}>{icons[sign]}</span>;
}
