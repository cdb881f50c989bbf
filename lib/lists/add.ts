import type { Holding } from "../audit/snapshot.ts";
import { DomainError, type ErrorCode } from "../errors.ts";
import type { Cidr, Ip } from "../ip/parse.ts";
import { keys, type ListName } from "../redis/keys.ts";
import { type Changed, changeEntries, type Plan, type Scene, type Step } from "./change.ts";
import type { Context } from "./context.ts";
import { lifeProblem, oneWeekMs } from "./duration.ts";
import { endOf, isLater, type Life, lifeOf } from "./life.ts";
import type { Refusal } from "./lockout.ts";
import { writeNote } from "./note.ts";

export interface AddInput {
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  /** A week unless chosen; null never expires. */
  readonly ttlMs?: number | null;
  readonly reason: string;
  /** Wide ranges that were typed a second time. */
  readonly confirmed?: readonly (Ip | Cidr)[];
  /** Lets an entry end earlier than it would. */
  readonly force?: boolean;
}

/** `kept`: the entry was there already and lasts as long or longer. `expiresAt` is in ms; null for never. */
export type AddOutcome =
  | {
      readonly address: Ip | Cidr;
      readonly outcome: "added" | "extended" | "shortened" | "kept";
      readonly expiresAt: number | null;
    }
  | Refused;

export interface Refused {
  readonly address: Ip | Cidr;
  readonly outcome: "refused";
  readonly code: ErrorCode;
  readonly message: string;
  /** Which of the rules against locking the house it is, if it is one. */
  readonly why?: Refusal["why"];
}

/** An entry as somebody wants it. */
export interface Wish {
  readonly life: Life;
  readonly reason: string;
  readonly isConfirmed: boolean;
  readonly mayShorten: boolean;
}

/** Adds entries to a list. Adding again lengthens a life and never shortens it, unless forced. */
export async function addEntries(ctx: Context, input: AddInput): Promise<Changed<AddOutcome>> {
  const { list, addresses, ttlMs = oneWeekMs, reason, confirmed = [], force = false } = input;
  checkTtl(ttlMs);
  const life = lifeOf(ttlMs);
  const sure = new Set(confirmed);
  const wish = (address: Ip | Cidr) => ({
    life,
    reason,
    isConfirmed: sure.has(address),
    mayShorten: force,
  });
  return changeEntries(ctx, additionOf(ctx, { verb: "add", list, addresses, reason }, wish));
}

/** For what was chosen once for many entries. */
export function checkTtl(ttlMs: number | null): void {
  const problem = ttlMs === null ? undefined : lifeProblem(ttlMs);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { ttl: problem });
}

/** The plan of adding entries, each as its wish says. */
export function additionOf(
  { actor }: Context,
  what: Pick<Plan<AddOutcome>, "verb" | "list" | "addresses" | "reason">,
  wishFor: (address: Ip | Cidr) => Wish,
): Plan<AddOutcome> {
  return {
    ...what,
    looksAt: what.list === "blocklist" ? ["safelist"] : [],
    decide(address, found, scene) {
      const wish = wishFor(address);
      const expiresAt = endOf(wish.life, scene.now);
      const refused =
        refuse(what.list, address, found, scene, wish.isConfirmed) ??
        refuseLife(address, expiresAt, scene.now);
      if (refused) return { outcome: refused };
      const at = new Date(scene.now).toISOString();
      const value = writeNote({ reason: wish.reason, by: actor.name, at, via: actor.via });
      return weigh(address, found, { value, expiresAt }, wish.mayShorten);
    },
  };
}

/** Why the entry may not be made, or stay, as it is wished. */
export function refuse(
  list: ListName,
  address: Ip | Cidr,
  found: Holding,
  scene: Scene,
  isConfirmed: boolean,
): Refused | undefined {
  const refusal = scene.refusal(address, isConfirmed);
  if (refusal) return { address, outcome: "refused", ...refusal };
  if (found.kind === "string" || found.kind === "none") return undefined;
  const message = `${keys.entry(list, address)} in Redis is a ${found.kind}, not an entry: remove it first.`;
  return { address, outcome: "refused", code: "bad-input", message };
}

/** Why it may not end then. */
export function refuseLife(address: Ip | Cidr, expiresAt: number | null, now: number): Refused | undefined {
  const problem = expiresAt === null ? undefined : lifeProblem(expiresAt - now);
  return problem ? { address, outcome: "refused", code: "bad-input", message: `${problem}.` } : undefined;
}

function weigh(
  address: Ip | Cidr,
  found: Holding,
  to: NonNullable<Step<never>["to"]>,
  mayShorten: boolean,
): Step<AddOutcome> {
  const { expiresAt } = to;
  if (found.kind === "none") return { outcome: { address, outcome: "added", expiresAt }, to };
  if (isLater(expiresAt, found.expiresAt))
    return { outcome: { address, outcome: "extended", expiresAt }, to };
  const isShorter = isLater(found.expiresAt, expiresAt);
  if (isShorter && mayShorten) return { outcome: { address, outcome: "shortened", expiresAt }, to };
  return { outcome: { address, outcome: "kept", expiresAt: found.expiresAt } };
}
