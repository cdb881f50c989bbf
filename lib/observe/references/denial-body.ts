import type { Denial } from "./explain-reference.ts";

/** A denial as JSON has it. */
export function denialBody({ at, outcome, says, app, client, by, customer, counted, now }: Denial) {
  return {
    ...{ at: new Date(at).toISOString(), outcome, says },
    ...{ app: app ?? null, client: client ?? null, by: deciderBody(by) },
    ...{ customer: customer ?? null, counted: counted ?? null },
    ...{ applies: now.applies ?? null, now: now.says },
  };
}

function deciderBody(by: Denial["by"]) {
  switch (by.kind) {
    case "entry":
      return { kind: by.kind, address: by.address };
    case "feed":
      return { kind: by.kind, address: by.range, ...(by.feed !== undefined && { feed: by.feed }) };
    case "suspension":
      return { kind: by.kind };
    case "rule":
      return { kind: by.kind, ...(by.rule !== undefined && { rule: by.rule }) };
  }
}
