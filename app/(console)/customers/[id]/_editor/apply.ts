import { clearOverride, setOverride, setTier } from "../../../../_actions/customers.ts";
import type { Result } from "../../../../_server/action.ts";
import type { SaveStep } from "./save.ts";

/** How far the saving of a draft came. */
export interface Applied {
  /** The numbers that nodes acknowledge, and by which it is undone. */
  readonly changes: readonly number[];
  readonly done: readonly SaveStep["verb"][];
  /** Why it went no further. */
  readonly failure?: Extract<Result<unknown>, { ok: false }>["error"];
}

interface Asked {
  readonly id: string;
  readonly reason: string;
  readonly basedOn: string;
}

type Saved = Result<{ readonly change: number | null; readonly basedOn: string }>;

const lost = "The console did not answer. What you typed is still here; try again.";

/** Each step rests on what the one before it left: nobody can come between them unseen. */
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
  return answered(call(step, asked));
}

/** A console that does not answer is a failure like others. */
export async function answered<T>(asked: Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await asked;
  } catch {
    return { ok: false, error: { code: "failed", message: lost, fields: {} } };
  }
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
