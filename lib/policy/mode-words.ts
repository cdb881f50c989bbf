import type { Mode } from "./schema.ts";

const effects: Readonly<Record<Mode, string>> = {
  enforce: "rules stop whoever goes over them",
  shadow: "rules only report, while the lists still stop",
  off: "nothing stops anyone, the blocklist neither",
};

/** What the mode of the whole policy comes to. */
export function sayMode(mode: Mode): string {
  return `The mode is ${mode}: ${effects[mode]}.`;
}
