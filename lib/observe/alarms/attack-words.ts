import type { NamedClients, RecentChange } from "../stats/situation.ts";
import { customersOf } from "../stats/situation.ts";
import { rateText } from "./attack-detector.ts";

export interface AttackFacts {
  readonly app: string;
  /** Denials per second now, and before. Undefined while that is unknown. */
  readonly perSecond: number;
  readonly before: number | undefined;
  /** The fewest clients that cause most denials. Undefined if no few do. */
  readonly named: NamedClients | undefined;
  /** The rule that denies most; "the blocklist" for blocked requests. */
  readonly rule: string | undefined;
  /** The change shortly before. */
  readonly change: RecentChange | undefined;
}

const mostNamed = 3;

/** The attack in words: who, from where, by which rule they are denied. */
export function attackWords(facts: AttackFacts): { readonly title: string; readonly text: string } {
  const { app, perSecond, before, named, rule, change } = facts;
  const areCustomers = named?.clients.every(({ customers }) => customers && customers.length > 0) ?? false;
  const isAttack = named !== undefined && !areCustomers;
  const title = isAttack ? `Attack on ${app}` : `Denials of ${app} are far over their usual rate`;
  const rose = `Denials rose ${before === undefined ? "" : `from ${rateText(before)} `}to ${rateText(perSecond)} per s`;
  const sentences = [
    rose,
    named ? whoOf(named) : "No few clients cause most of them",
    ...(rule === undefined ? [] : [`Most are denied by ${rule}`]),
    ...(change ? [`Shortly before: ${change.text}`] : []),
  ];
  return { title, text: `${sentences.join(". ")}.` };
}

function whoOf({ clients, share, network }: NamedClients): string {
  const shown = clients.slice(0, mostNamed).map(({ client }) => client);
  const more = clients.length - shown.length;
  const list = more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
  const count = clients.length === 1 ? "1 client" : `${clients.length} clients`;
  const from = network === undefined ? "" : ` of ${network}`;
  const customers = customersOf({ clients });
  const known =
    customers.length > 0
      ? `. ${customers.length === 1 ? "Customer" : "Customers"} ${customers.slice(0, mostNamed).join(", ")}`
      : "";
  const cause = clients.length === 1 ? "causes" : "cause";
  return `${count}${from} ${cause} ${share.isLeast ? "at least " : ""}${share.percent}% of them: ${list}${known}`;
}
