import { readState, staleAfterMs } from "../../manage/edge/state.ts";
import { findSwitch } from "../../manage/edge/switch.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { type Check, note, ok, plural, problem } from "./finding.ts";

const lateAfterMs = 15_000;

export const edge: Check = {
  name: "edge",
  async run({ redis }) {
    const [state, edgeSwitch, now] = await Promise.all([
      readState(redis),
      findSwitch(redis),
      redisNow(redis),
    ]);
    if (!state || state.dictionaries.length === 0) return [ok("No edge is connected.")];
    if (now - state.at > staleAfterMs) {
      const cure =
        "Start a console with SLUICE_EDGE set. Until then, the clients that the edge denies do not change.";
      return [problem("Edge sync is stopped.", { cure })];
    }
    const troubles = state.dictionaries.flatMap(({ name, trouble }) =>
      trouble === null ? [] : [problem(`${name}: ${trouble}`)],
    );
    if (troubles.length > 0) return troubles;
    const late = state.dictionaries.filter(
      ({ behindSince }) => behindSince !== null && state.at - behindSince > lateAfterMs,
    );
    if (late.length > 0) return late.map(({ name }) => problem(`${name} is out of sync.`));
    if (!edgeSwitch.isOn) {
      const cure = "To turn it on again: sluice edge on.";
      return [note("Limiting at the edge is off.", { cure })];
    }
    const edges = `${plural(state.dictionaries.length, "edge")} in sync`;
    return [ok(`${edges}, ${plural(state.kept, "fingerprint")} over the limit.`)];
  },
};
