/** A verdict or a state. Plain for facts. */
export type Tone = "pass" | "throttled" | "blocked" | "safelisted" | "shadow" | "plain";

/** Background, border and text colour of a badge or banner. Shadow is dashed, so that it differs not only by colour. */
export const tints: Readonly<Record<Tone, string>> = {
  pass: "border-pass-bd bg-pass-bg text-pass",
  throttled: "border-throttled-bd bg-throttled-bg text-throttled",
  blocked: "border-blocked-bd bg-blocked-bg text-blocked",
  safelisted: "border-safelisted-bd bg-safelisted-bg text-safelisted",
  shadow: "border-dashed border-shadow-bd bg-shadow-bg text-shadow",
  plain: "border-border-2 text-text-2",
};

export const toneText: Readonly<Record<Tone, string>> = {
  pass: "text-pass",
  throttled: "text-throttled",
  blocked: "text-blocked",
  safelisted: "text-safelisted",
  shadow: "text-shadow",
  plain: "text-text-2",
};
