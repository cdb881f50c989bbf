import { type Block, overlaps } from "../ip/block.ts";
import { readBlock } from "../ip/parse.ts";
import { type AuditRecord, aboutOf } from "./record.ts";

/** What somebody looks for in the log; what is left out matches everything. */
export interface HistoryFilter {
  /** A part of the actor's name. */
  readonly actor?: string;
  /** How the action begins: "blocklist", "customer.tier"; also what an undo took back, and what was refused. */
  readonly action?: string;
  /** An address, a customer: an address finds the ranges that cover it, a range what is inside. */
  readonly target?: string;
  /** How the door is called: "console", "auto". */
  readonly via?: string;
  /** In ms. */
  readonly from?: number;
  readonly to?: number;
  /** A part of the reason, an actor, an address or a target. */
  readonly text?: string;
  /** For whom users are none of their business; it is nothing they look for. */
  readonly isWithoutUsers?: true;
}

export type Matcher = (record: AuditRecord) => boolean;

/** Tells of users, and not of what users did. */
export function isOfUsers(record: AuditRecord): boolean {
  return [record.action, aboutOf(record)].some((action) => /^(refused:)?(user\.|sign-in$)/.test(action));
}

export function isEmpty({ isWithoutUsers: _, ...wishes }: HistoryFilter): boolean {
  return Object.values(wishes).every((wish) => wish === undefined || wish === "");
}

export function matcherOf(filter: HistoryFilter): Matcher {
  const matchers = [
    filter.isWithoutUsers ? (record: AuditRecord) => !isOfUsers(record) : undefined,
    filter.actor ? nameMatcher(filter.actor) : undefined,
    filter.action ? actionMatcher(filter.action) : undefined,
    filter.via ? viaMatcher(filter.via) : undefined,
    periodMatcher(filter),
    filter.text ? textMatcher(filter.text) : undefined,
    filter.target ? targetMatcher(filter.target) : undefined,
  ].filter((matcher) => matcher !== undefined);
  return (record) => matchers.every((matches) => matches(record));
}

function nameMatcher(wish: string): Matcher {
  const part = wish.trim().toLowerCase();
  return ({ actor }) => actor.toLowerCase().includes(part);
}

function actionMatcher(wish: string): Matcher {
  const begins = (action: string) => action.startsWith(wish);
  return (record) => begins(record.action) || begins(aboutOf(record).replace(/^refused:/, ""));
}

function viaMatcher(wish: string): Matcher {
  return ({ via }) => via === wish || via.startsWith(`${wish}:`);
}

function periodMatcher({ from, to }: HistoryFilter): Matcher | undefined {
  if (from === undefined && to === undefined) return undefined;
  return ({ at }) => {
    const ms = Date.parse(at);
    return (from === undefined || ms >= from) && (to === undefined || ms <= to);
  };
}

function textMatcher(wish: string): Matcher {
  const part = wish.trim().toLowerCase();
  const says = (text: string | undefined) => text?.toLowerCase().includes(part) ?? false;
  return ({ reason, actor, address, changes }) =>
    says(reason) || says(actor) || says(address) || changes.some(({ target }) => says(target));
}

function targetMatcher(wish: string): Matcher {
  const asked = wish.trim();
  const block = readBlock(asked);
  const isWished = block ? aroundBlock(asked, block) : (target: string) => target === asked;
  return ({ changes }) => changes.some(({ target }) => isWished(target));
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
