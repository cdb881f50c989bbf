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

/** Icon of a tone. Each verdict has its own shape. */
export function toneIcon(tone: Tone): ReactNode {
  return icons[tone];
}
