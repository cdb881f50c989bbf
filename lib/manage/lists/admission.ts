import { isOfFeed, lifeProblem, readNote, writeNote } from "../../enforce/lists/entry.ts";
import { type LockoutRefusal, refusal } from "../../enforce/lists/lockout.ts";
import { DomainError, type ErrorCode } from "../../errors.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { keys } from "../../redis/keys.ts";
import type { Holding } from "../../redis/snapshot.ts";
import { typeProblem } from "../audit/checks.ts";
import type { Actor, OpenBulk } from "../audit/record.ts";
import type { EntryChange, EntryCircumstances, EntryDecision, ListContext } from "./change-entries.ts";
import { endOf, isLater, isSameMoment, type Life } from "./life.ts";
import { retagged } from "./tag.ts";
import { changedTags, type TagChange, tagsOf, tagsProblem } from "./tags.ts";

/** `kept`: the entry exists and lasts as long or longer; `tagged`: its tags alone change. `expiresAt` is in ms; null for never. */
export type AddOutcome =
  | {
      readonly address: Ip | Cidr;
      readonly outcome: "added" | "extended" | "shortened" | "tagged" | "kept";
      readonly expiresAt: number | null;
    }
  | RefusedEntry;

export interface RefusedEntry {
  readonly address: Ip | Cidr;
  readonly outcome: "refused";
  readonly code: ErrorCode;
  readonly message: string;
  /** The rule of the lockout protection, if it is one. */
  readonly why?: LockoutRefusal["why"];
}

/** How an entry is to be added. */
export interface EntryTerms {
  readonly life: Life;
  readonly reason: string;
  readonly isConfirmed: boolean;
  readonly mayShorten: boolean;
  /** Undefined: an entry that exists keeps its tags. */
  readonly tags?: TagChange | undefined;
}

/** Throws for a life that is too short or too long. For a life that was chosen once for many entries. */
export function checkTtl(ttlMs: number | null): void {
  const problem = ttlMs === null ? undefined : lifeProblem(ttlMs);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { ttl: problem });
}

/** The change that adds entries, each by its own terms. */
export function additionOf(
  { actor, into }: ListContext,
  what: Pick<EntryChange<AddOutcome>, "verb" | "list" | "addresses" | "reason">,
  termsOf: (address: Ip | Cidr) => EntryTerms,
): EntryChange<AddOutcome> {
  return {
    ...what,
    looksAt: what.list === "blocklist" ? ["safelist"] : [],
    decide(address, found, circumstances) {
      const { now } = circumstances;
      const terms = termsOf(address);
      const expiresAt = endOf(terms.life, now);
      const refused =
        refuse(address, found, circumstances, terms.isConfirmed) ?? refuseLife(address, expiresAt, now);
      if (refused) return { outcome: refused };
      if (into?.bulk && isOwnWork(found, terms.life, actor, into.bulk))
        return { outcome: { address, outcome: "kept", expiresAt: found.expiresAt } };
      const tags = changedTags(found.kind === "string" ? tagsOf(found.value) : [], terms.tags);
      const tooMany = tagsProblem(tags);
      if (tooMany !== undefined) return refusedAs(address, `${tooMany} for ${address}.`);
      const at = new Date(now).toISOString();
      const value = writeNote({ reason: terms.reason, by: actor.name, at, via: actor.via, tags });
      const made = added(address, found, { value, expiresAt }, terms.mayShorten);
      return made.outcome.outcome === "kept" ? keptWith(address, found, tags) : made;
    },
  };
}

/** An earlier call wrote the entry for the same record. Writing it again would only move its end. */
function isOwnWork({ kind, value, expiresAt }: Holding, life: Life, by: Actor, { at }: OpenBulk): boolean {
  if (kind !== "string" || life === "forever" || !("forMs" in life)) return false;
  const note = readNote(value);
  if (note.by !== by.name || note.via !== by.via || note.at === undefined || note.at < at) return false;
  return isSameMoment(expiresAt, Date.parse(note.at) + life.forMs);
}

/** Why the entry may not be added, or may not stay. */
export function refuse(
  address: Ip | Cidr,
  found: Holding,
  { list, actorAddress, protector, safelistCover }: EntryCircumstances,
  isConfirmed: boolean,
): RefusedEntry | undefined {
  const around = { protector, actorAddress, safelistCover: safelistCover(address), isConfirmed };
  const locked = refusal(list, address, around);
  if (locked) return { address, outcome: "refused", ...locked };
  const message = typeProblem(keys.entry(list, address), found, "string", "an entry");
  return message === undefined ? undefined : refusedAs(address, message).outcome;
}

function refusedAs(address: Ip | Cidr, message: string): { readonly outcome: RefusedEntry } {
  return { outcome: { address, outcome: "refused", code: "bad-input", message } };
}

/** Why the entry may not end at this moment. */
export function refuseLife(
  address: Ip | Cidr,
  expiresAt: number | null,
  now: number,
): RefusedEntry | undefined {
  const problem = expiresAt === null ? undefined : lifeProblem(expiresAt - now);
  return problem ? refusedAs(address, `${problem}.`).outcome : undefined;
}

function added(
  address: Ip | Cidr,
  found: Holding,
  to: NonNullable<EntryDecision<never>["to"]>,
  mayShorten: boolean,
): EntryDecision<AddOutcome> {
  const { expiresAt } = to;
  // A key of a feed is a copy: what a person writes is in its place.
  if (found.kind === "none" || isOfFeed(found.value))
    return { outcome: { address, outcome: "added", expiresAt }, to };
  if (isLater(expiresAt, found.expiresAt))
    return { outcome: { address, outcome: "extended", expiresAt }, to };
  const isShorter = isLater(found.expiresAt, expiresAt);
  if (isShorter && mayShorten) return { outcome: { address, outcome: "shortened", expiresAt }, to };
  return { outcome: { address, outcome: "kept", expiresAt: found.expiresAt } };
}

/** An entry that lasts as long anyway, with these tags. */
function keptWith(address: Ip | Cidr, found: Holding, tags: readonly string[]): EntryDecision<AddOutcome> {
  const { expiresAt } = found;
  const { outcome, to } = retagged(address, found, tags);
  if (outcome.outcome === "refused") return { outcome };
  return to
    ? { outcome: { address, outcome: "tagged", expiresAt }, to }
    : { outcome: { address, outcome: "kept", expiresAt } };
}
