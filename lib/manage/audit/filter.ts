import { type Block, overlaps } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import { type AuditRecord, aboutOf, type RecordedChange } from "./record.ts";

/** A search in the log. A member that is left out matches everything. */
export interface HistoryFilter {
  /** A part of the actor's name. */
  readonly actor?: string;
  /** The beginning of the action: "blocklist", "customer.tier". Also matches undos and refused attempts of the action. */
  readonly action?: string;
  /** An address, a customer: an address finds the ranges that cover it, a range the entries inside. */
  readonly target?: string;
  /** The source of the change: "console", "auto". */
  readonly via?: string;
  /** In ms. */
  readonly from?: number;
  readonly to?: number;
  /** A part of the reason, an actor, an address or a target. */
  readonly text?: string;
  /** Set for roles that may not see user records; not a filter that the reader chose. */
  readonly isWithoutUsers?: true;
}

type Targets = Pick<AuditRecord, "changes">;

export interface Matcher {
  /** Does the record match? Undefined for a record with parts where only its parts can decide. */
  (record: AuditRecord): boolean | undefined;
  /** Does one of these entries of the record match? Called only where the record alone cannot decide. */
  entries(record: AuditRecord, changes: AuditRecord["changes"]): boolean;
  /** The targets of these entries that make the record match, what was typed first. Empty where it matches by something else. */
  hits(record: AuditRecord, changes: AuditRecord["changes"]): string[];
}

type RecordTest = (record: AuditRecord) => boolean;
type SearchedTexts = Targets & Pick<AuditRecord, "reason" | "actor" | "address">;

/** Is the record about a user account or an API token, and not about what its owner did? */
export function isOfUsers(record: AuditRecord): boolean {
  return [record.action, aboutOf(record)].some((action) =>
    /^(refused:)?(user\.|token\.|(sign-in|token)$)/.test(action),
  );
}

export function isEmpty({ isWithoutUsers: _, ...wishes }: HistoryFilter): boolean {
  return Object.values(wishes).every((wish) => wish === undefined || wish === "");
}

export function matcherOf(filter: HistoryFilter): Matcher {
  const plain = [
    filter.isWithoutUsers ? (record: AuditRecord) => !isOfUsers(record) : undefined,
    filter.actor ? nameMatcher(filter.actor) : undefined,
    filter.action ? actionMatcher(filter.action) : undefined,
    filter.via ? viaMatcher(filter.via) : undefined,
    periodMatcher(filter),
  ].filter((matcher) => matcher !== undefined);
  const { text, target } = filter;
  const [says, names] = [text ? textMatcher(text) : undefined, target ? targetMatcher(target) : undefined];
  const isSaid = (record: AuditRecord) => !says || says(record);
  const isNamed = (targets: Targets) => !names || names(targets);
  const matches = (record: AuditRecord) => {
    if (!plain.every((does) => does(record))) return false;
    if (isSaid(record) && isNamed(record)) return true;
    return record.bulk ? undefined : false;
  };
  const entries = (record: AuditRecord, changes: AuditRecord["changes"]) =>
    changes.some((one) => isNamed({ changes: [one] }) && isSaid({ ...record, changes: [one] }));
  const hits = (record: AuditRecord, changes: AuditRecord["changes"]) => {
    const isAny = isNamed({ changes: [] }) && isSaid({ ...record, changes: [] });
    if (isAny) return [];
    const isHit = (one: RecordedChange) =>
      isNamed({ changes: [one] }) && isSaid({ ...record, changes: [one] });
    const found = changes.filter(isHit).map((one) => one.target);
    // What was typed comes before what only begins like it, or lies around it.
    const isTyped = (one: string) => one === text?.trim() || one === target?.trim();
    return [...found.filter(isTyped), ...found.filter((one) => !isTyped(one))];
  };
  return Object.assign(matches, { entries, hits });
}

function nameMatcher(wish: string): RecordTest {
  const part = wish.trim().toLowerCase();
  return ({ actor }) => actor.toLowerCase().includes(part);
}

function actionMatcher(wish: string): RecordTest {
  const begins = (action: string) => action.startsWith(wish);
  return (record) => begins(record.action) || begins(aboutOf(record).replace(/^refused:/, ""));
}

function viaMatcher(wish: string): RecordTest {
  return ({ via }) => via === wish || via.startsWith(`${wish}:`);
}

function periodMatcher({ from, to }: HistoryFilter): RecordTest | undefined {
  if (from === undefined && to === undefined) return undefined;
  return ({ at }) => {
    const ms = Date.parse(at);
    return (from === undefined || ms >= from) && (to === undefined || ms <= to);
  };
}

function textMatcher(wish: string) {
  const part = wish.trim().toLowerCase();
  const says = (text: string | undefined) => text?.toLowerCase().includes(part) ?? false;
  return ({ reason, actor, address, changes }: SearchedTexts): boolean =>
    says(reason) || says(actor) || says(address) || changes.some(({ target }) => says(target));
}

function targetMatcher(wish: string) {
  const asked = wish.trim();
  const block = readBlock(asked);
  const isWished = block ? aroundBlock(asked, block) : (target: string) => target === asked;
  return ({ changes }: Targets): boolean => changes.some(({ target }) => isWished(target));
}

/** Only where one of both is a range can two different texts mean the same place. */
function aroundBlock(asked: string, block: Block): (target: string) => boolean {
  const isRange = asked.includes("/");
  return (target) => {
    if (target === asked) return true;
    if (!isRange && !target.includes("/") && !asked.includes(":")) return false;
    const other = readBlock(target);
    return other !== undefined && overlaps(block, other);
  };
}
