import { answered } from "@/components/console/in-steps.ts";
import type { Result } from "@/lib/console/action.ts";
import { clearOverride, setOverride, setTier } from "@/lib/console/actions/customers.ts";
import type { SaveStep } from "./save.ts";

/** Progress of a save. */
export interface Applied {
  /** The numbers that nodes acknowledge, and by which it is undone. */
  readonly changes: readonly number[];
  readonly done: readonly SaveStep["verb"][];
  /** Why the save stopped. */
  readonly failure?: Extract<Result<unknown>, { ok: false }>["error"];
}

interface Asked {
  readonly id: string;
  readonly reason: string;
  readonly basedOn: string;
}

type Saved = Result<{ readonly change: number | null; readonly basedOn: string }>;

/** Each step is based on the version of the step before, so another change between them is detected. */
export async function applySteps(steps: readonly SaveStep[], asked: Asked): Promise<Applied> {
  let { basedOn } = asked;
  const changes: number[] = [];
  const done: SaveStep["verb"][] = [];
  for (const step of steps) {
    const result = await send(step, { ...asked, basedOn });
    if (!result.ok) return { changes, done, failure: result.error };
    basedOn = result.value.basedOn;
    if (result.value.change !== null) changes.push(result.value.change);
    done.push(step.verb);
  }
  return { changes, done };
}

function send(step: SaveStep, asked: Asked): Promise<Saved> {
  return answered(() => call(step, asked));
}

function call(step: SaveStep, asked: Asked): Promise<Saved> {
  if (step.verb === "tier") return setTier({ ...asked, tier: step.tier });
  if (step.verb === "clear") return clearOverride(asked);
  const { levels, ends } = step;
  const wished = levels.map(({ limit, periodSeconds }) => ({ limit, periodSeconds }));
  if ("inMs" in ends) return setOverride({ ...asked, levels: wished, expiresInMs: ends.inMs });
  const end = ends.at === null ? { expiresInMs: null } : { expiresAt: ends.at };
  return setOverride({ ...asked, levels: wished, ...end });
}
