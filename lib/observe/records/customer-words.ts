import { readOverride } from "../../enforce/customers/stored-limits.ts";
import { readTierEnd } from "../../enforce/customers/tier.ts";
import { sayLevels } from "../../enforce/policy/words.ts";
import {
  type AuditRecord,
  aboutOf,
  type RecordedChange,
  type StoredValue,
} from "../../manage/audit/record.ts";
import { forHowLong, sayMoment, untilWhen } from "../../manage/audit/time-words.ts";
import { fieldsOf } from "../../manage/undo/put-back.ts";
import { named, type Phrase, type PhrasePart } from "./pieces.ts";

/** What a record did to a customer. */
export function sayCustomer(record: AuditRecord): Phrase {
  const { changes, undoes, at } = record;
  const [change] = changes;
  const customer: Phrase = ["customer ", { text: change?.target ?? "", is: "customer" }];
  const back = undoes ? " back" : "";
  const { before = null, after = null } = change ?? {};
  switch (aboutOf(record)) {
    case "customer.tier":
      return [...sayMove(customer, before, after, back), ...sayTierEnd(changes)];
    case "customer.tier-ended":
      return [...sayMove(customer, before, after, " back"), ", after the tier had ended on time"];
    case "customer.override":
    case "customer.override.clear":
      if (after === null) return ["took the own levels of ", ...customer, " away", undoes ? " again" : ""];
      return [
        `gave `,
        ...customer,
        `${back} levels of its own: `,
        levelsOf(after),
        ` ${forHowLong(after.expiresAt, at)}`,
      ];
    case "customer.suspend":
    case "customer.resume":
      if (after === null) return [undoes ? "ended the suspension of " : "resumed ", ...customer];
      return ["suspended ", ...customer, `${undoes ? " again" : ""} ${forHowLong(after.expiresAt, at)}`];
    case "customer.reset":
      return ["reset the counters of ", ...customer];
    default:
      return ["changed ", ...customer];
  }
}

function sayMove(
  customer: Phrase,
  before: StoredValue | null,
  after: StoredValue | null,
  back: string,
): Phrase {
  const [was, is] = [tierOf(before), tierOf(after)];
  if (was && is) return ["moved ", ...customer, `${back} from `, was, " to ", is];
  if (is) return ["put ", ...customer, `${back} into `, is];
  return ["took ", ...customer, " out of ", was ?? "its tier"];
}

/** ", until 2026-03-28 14:32 UTC, then pro" */
function sayTierEnd([tier, afterwards]: readonly RecordedChange[]): Phrase {
  const follows = readTierEnd(afterwards?.after?.value ?? "");
  if (follows) return [`, ${sayTierUntil(follows.atMs)}, then `, named(follows.back)];
  const expiresAt = tier?.after?.expiresAt ?? null;
  return expiresAt === null ? [] : [`, ${untilWhen(expiresAt)}`];
}

export const sayTierUntil = (atMs: number) => `until ${sayMoment(new Date(atMs).toISOString())}`;

function tierOf(standing: StoredValue | null): PhrasePart | undefined {
  return standing ? named(standing.value ?? "something else") : undefined;
}

/** "100 per 1 min and 1,000 per 1 h" */
export function levelsOf({ value }: StoredValue): string {
  const fields = fieldsOf(value ?? "");
  const texts = typeof fields === "object" && fields !== null ? Object.entries(fields) : [];
  const { levels } = readOverride(texts.map(([period, limit]) => [period, String(limit)]));
  return levels ? sayLevels(levels) : "none that can be read";
}
