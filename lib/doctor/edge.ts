import { readState, staleAfterMs } from "../edge/state.ts";
import { findSwitch } from "../edge/switch.ts";
import { counted } from "./counted.ts";
import { type Check, note, ok, problem } from "./finding.ts";

const lateAfterMs = 15_000;

export const edge: Check = {
  name: "edge",
  async look({ redis }) {
    const [state, edgeSwitch, [seconds]] = await Promise.all([
      readState(redis),
      findSwitch(redis),
      redis.time(),
    ]);
    if (!state || state.dictionaries.length === 0) return [ok("No edge is connected.")];
    if (Number(seconds) * 1_000 - state.at > staleAfterMs) {
      const cure = "Start a console with SLUICE_EDGE set: who is turned away now stays so until then.";
      return [problem("Nobody brings the edges to the wished state.", { cure })];
    }
    const troubles = state.dictionaries.flatMap(({ name, trouble }) =>
      trouble === null ? [] : [problem(`${name}: ${trouble}`)],
    );
    if (troubles.length > 0) return troubles;
    const late = state.dictionaries.filter(
      ({ behindSince }) => behindSince !== null && state.at - behindSince > lateAfterMs,
    );
    if (late.length > 0)
      return late.map(({ name }) => problem(`${name} does not follow: it is not as wished.`));
    if (!edgeSwitch.isOn) {
      const cure = "When that is not meant any more: sluice edge on.";
      return [note("Limiting at the edge is switched off.", { cure })];
    }
    const edges = `${counted(state.dictionaries.length, "edge")} as wished`;
    return [ok(`${edges}, ${counted(state.kept, "fingerprint")} over the limit.`)];
  },
};
