import type { CoveringEntry, RedisEntry } from "../../enforce/lists/lookup.ts";
import type { Level } from "../../enforce/policy/levels.ts";
import type { StoredPolicy } from "../../enforce/policy/stored.ts";
import type { PolicyInForce, SpoiledVersion } from "../../enforce/policy/versions.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import type { Customer } from "../../manage/customers/read.ts";
import type { AddInput } from "../../manage/lists/add.ts";
import type { AddOutcome } from "../../manage/lists/admission.ts";
import type { RemoveInput, RemoveOutcome } from "../../manage/lists/remove.ts";
import type { TagInput, TagOutcome } from "../../manage/lists/tag.ts";
import type { AttackModeInput } from "../../manage/policy/attack-mode.ts";
import type { SavedPolicy } from "../../manage/policy/save.ts";
import type { ModeInput } from "../../manage/policy/set-mode.ts";
import type { ExplainedRequest } from "../../observe/policy/explain-request.ts";
import type { CustomerId, ListName } from "../../redis/keys.ts";
import type { Applied } from "../applied.ts";
import type { AlarmReads, AlarmWrites } from "./alarm-access.ts";
import type { DenialReads, DenialWrites } from "./denial-access.ts";
import type { FeedReads, FeedWrites } from "./feed-access.ts";
import type { OverrideReads, OverrideWrites } from "./override-access.ts";
import type { RequestReads, RequestWrites } from "./request-access.ts";

/** What commands read, from Redis or over the API of the console. */
export interface ReadAccess extends AlarmReads, DenialReads, FeedReads, OverrideReads, RequestReads {
  /** Ms by the clock that entries expire by. */
  now(): number;
  readPolicy(): Promise<PolicyInForce>;
  /** Undefined for a version that is not kept. */
  readVersion(version: number): Promise<StoredPolicy | SpoiledVersion | undefined>;
  /** Those that are kept, the newest first. */
  listVersions(): Promise<VersionRow[]>;
  countNodes(): Promise<number>;
  readCustomer(id: CustomerId): Promise<Customer>;
  readCustomers(page: { readonly beginning: string; readonly cursor: string }): Promise<CustomersRead>;
  readUsage(id: CustomerId): Promise<UsageRow[]>;
  listEntries(list: ListName, page: EntriesAsked): Promise<EntriesRead>;
  findEntries(list: ListName, address: Ip | Cidr, page: EntriesAsked): Promise<EntriesFound>;
  explain(request: ExplainedRequest): Promise<ExplainedVerdict>;
  /** What rules that count by a header or cookie have counted of a value. */
  explainValue(value: string): Promise<readonly { readonly says: string }[]>;
  /** Throws a DomainError that says why the reference cannot be read. */
  explainReference(reference: string): Promise<ExplainedDenial>;
}

/** The same, and what commands change. */
export interface WriteAccess
  extends ReadAccess,
    AlarmWrites,
    DenialWrites,
    FeedWrites,
    OverrideWrites,
    RequestWrites {
  setPolicy(input: SavePolicyInput): Promise<SavedPolicy>;
  rollBack(input: Omit<SavePolicyInput, "policy"> & { readonly version: number }): Promise<SavedPolicy>;
  setMode(input: ModeInput): Promise<SavedPolicy>;
  startAttack(input: AttackModeInput): Promise<SavedPolicy>;
  endAttack(input: { readonly reason: string }): Promise<SavedPolicy>;
  addEntries(input: AddInput): Promise<Changed<AddOutcome>>;
  removeEntries(input: RemoveInput): Promise<Changed<RemoveOutcome>>;
  tagEntries(input: Omit<TagInput, "tags"> & { readonly tags: AddedTags }): Promise<Changed<TagOutcome>>;
  setTier(
    input: ReasonFor & { readonly tier: string | null; readonly untilMs?: number | undefined },
  ): Promise<TierResult>;
  setOverride(input: ReasonFor & OverrideTerms): Promise<{ readonly change: number | null }>;
  clearOverride(input: ReasonFor): Promise<{ readonly change: number | null }>;
  suspend(
    input: ReasonFor & { readonly expiresInMs: number | null },
  ): Promise<{ readonly change: number | null }>;
  resume(input: ReasonFor): Promise<{ readonly change: number | null }>;
  resetCounters(input: ReasonFor): Promise<{ readonly change: number | null; readonly deleted: number }>;
  /** Waits a short time until every node has applied the change. */
  awaitApplied(change: number | null): Promise<Applied | null>;
}

export interface SavePolicyInput {
  readonly policy: unknown;
  readonly basedOn: number;
  readonly reason: string;
  readonly isOldIgnored?: boolean;
  readonly untilMs?: number | undefined;
}

type AddedTags = Extract<TagInput["tags"], { readonly add: unknown }>;

interface ReasonFor {
  readonly id: CustomerId;
  readonly reason: string;
}

interface OverrideTerms {
  readonly levels: readonly Level[];
  /** Null never expires. */
  readonly expiresInMs: number | null;
}

interface TierResult {
  readonly change: number | null;
  readonly outcome: "set" | "removed" | "kept";
}

interface Changed<Outcome> {
  readonly change: number | null;
  readonly outcomes: readonly Outcome[];
}

interface CustomersRead {
  readonly customers: readonly Customer[];
  /** Null at the end. */
  readonly cursor: string | null;
}

/** A stored version of the policy. */
export interface VersionRow {
  readonly version: number;
  readonly at?: string | undefined;
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  /** Why it can no longer be read. */
  readonly problem?: string | undefined;
}

/** A customer's count at one level. */
export interface UsageRow {
  readonly rule: string;
  /** The level in words: "100 per 1 min". */
  readonly says: string;
  readonly used: number;
  readonly isRate: boolean;
  readonly resetMs: number;
  readonly isOver: boolean;
  readonly isShadowed: boolean;
  /** For --json. */
  readonly json: unknown;
}

/** Requests that an entry decided, in the last hour and in 24 h. Undefined where unknown. */
export type HitsOf = (address: string) => {
  readonly hour?: number | undefined;
  readonly day?: number | undefined;
};

export interface EntriesAsked {
  readonly limit: number;
  /** Only entries that have it. */
  readonly tag?: string | undefined;
}

interface EntriesRead {
  readonly entries: readonly (RedisEntry | CoveringEntry)[];
  /** There are more. */
  readonly isCut: boolean;
  readonly hits: HitsOf;
}

export interface EntriesFound extends EntriesRead {
  readonly address: Ip | Cidr;
  /** The enforced entry that decides. Null without any; undefined where the source does not say. */
  readonly decisive: { readonly list: ListName; readonly address: string } | null | undefined;
}

/** A denial that was found by its reference. */
export interface ExplainedDenial {
  /** What was denied, and whether that still applies. */
  readonly says: readonly string[];
  /** For --json. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** An explanation, as far as it is printed. */
export interface ExplainedVerdict {
  readonly says: string;
  readonly steps: readonly {
    readonly step: string;
    readonly decides: boolean;
    readonly says: string;
    readonly entries: readonly { readonly address: string; readonly expiresAt: number | null }[];
    readonly rules: readonly { readonly says: string; readonly isDeciding: boolean }[];
    readonly slack: readonly { readonly says: string }[];
  }[];
  /** For --json. */
  readonly json: Readonly<Record<string, unknown>>;
}
