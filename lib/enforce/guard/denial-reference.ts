import type { ClientAddress } from "../../ip/block.ts";
import { blockOf } from "../../ip/parse.ts";
import type { WritingKey } from "../references/keys.ts";
import type { DenialToWrite } from "../references/reference.ts";
import type { ReferenceMaker, Verdict } from "./verdict.ts";

/** The header that carries the reference of a denial. */
export const referenceHeader = "x-sluice-ref";

interface Denied {
  readonly client: ClientAddress | undefined;
  readonly customer: string | undefined;
  /** Ms of Redis' clock. */
  readonly atMs: number;
}

/** The last reference of a client. */
interface LastReference {
  readonly second: number;
  readonly rule: string | undefined;
  readonly customer: string | undefined;
  readonly counted: string | undefined;
  readonly reference: string;
}

/**
 * Writes the references of an app's denials. One is made when it is read: an answer needs it, a verdict alone does not. Denials of one
 * client by the same decider within one second share it, so that a flood of them costs a look-up each.
 */
export class DenialReferences {
  readonly #app: string;
  readonly #writing: Pick<WritingKey, "key">;
  readonly #last = new WeakMap<ClientAddress, LastReference>();

  constructor(app: string, writing: Pick<WritingKey, "key">) {
    this.#app = app;
    this.#writing = writing;
  }

  /** Of one denial. Undefined where the installation has no key yet. */
  makerOf(found: Verdict, denied: Denied): ReferenceMaker | undefined {
    return this.#writing.key && (() => this.#write(found, denied));
  }

  #write(found: Verdict, { client, customer, atMs }: Denied): string | undefined {
    const { key } = this.#writing;
    if (!key) return undefined;
    const second = Math.floor(atMs / 1_000);
    const { rule, counted } = found;
    const last = client && this.#last.get(client);
    if (
      last?.second === second &&
      last.rule === rule &&
      last.customer === customer &&
      last.counted === counted
    )
      return last.reference;
    const reference = key.write(denialOf(found, { client, customer, app: this.#app, second }));
    if (client) this.#last.set(client, { second, rule, customer, counted, reference });
    return reference;
  }
}

interface DenialPlace extends Pick<Denied, "client" | "customer"> {
  readonly app: string;
  readonly second: number;
}

function denialOf(found: Verdict, { client, customer, app, second }: DenialPlace): DenialToWrite {
  const { by, counted, outcome, rule = "" } = found;
  const place = { app, client, at: second, isBlocked: outcome === "blocked" };
  const ofCustomer = customer === undefined ? undefined : ({ is: "customer", name: customer } as const);
  switch (by?.kind) {
    case "entry":
      return {
        ...{ ...place, kind: "entry", decider: "", counted: ofCustomer },
        length: blockOf(by.address).length,
      };
    case "feed":
      return {
        ...{ ...place, kind: "feed", decider: by.feed, counted: ofCustomer },
        length: blockOf(by.range).length,
      };
    case "suspension":
      return {
        ...{ ...place, kind: "suspension", decider: "", length: 0 },
        counted: { is: "customer", name: by.customer },
      };
    default:
      return {
        ...{ ...place, kind: "rule", decider: by?.rule ?? rule, length: 0 },
        counted: counted === undefined ? ofCustomer : { is: "value", name: counted },
      };
  }
}
