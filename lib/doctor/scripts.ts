import { takeSnapshot } from "../audit/snapshot.ts";
import { type Check, ok } from "./finding.ts";

export const scripts: Check = {
  name: "scripts",
  async look({ redis }) {
    // The one that every change begins with; it writes nothing.
    await takeSnapshot(redis, { slots: [] });
    return [ok("Scripts run.")];
  },
};
