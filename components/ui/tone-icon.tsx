import { Ban, Check, Eye, Gauge, Info, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { Tone } from "./tone.ts";

const icons: Readonly<Record<Tone, ReactNode>> = {
  pass: <Check />,
  throttled: <Gauge />,
  blocked: <Ban />,
  safelisted: <ShieldCheck />,
  shadow: <Eye />,
  plain: <Info />,
};

/** Each verdict has a shape of its own. */
export function toneIcon(tone: Tone): ReactNode {
  return icons[tone];
}
