import type { Signed } from "../audit/record.ts";
import { recordRefusal } from "../audit/refusal.ts";
import type { Ip } from "../ip/parse.ts";
import { signInClient } from "./sign-in-client.ts";

const minuteMs = 60_000;
/** From so many addresses a minute sign-ins are on record one by one; what others do is told in one record. */
const mostAddresses = 20;
const mostAccounts = 5;
const mostClients = 10_000;

/** One that failed, or was not even tried. */
export interface RefusedSignIn {
  readonly address: Ip | undefined;
  /** Who it was for, if there is such a user. What else was typed may be anything, a password too. */
  readonly account: string | undefined;
}

interface Tally {
  count: number;
  readonly accounts: Set<string>;
  /** Whom it stands for; bounded, as all that strangers fill. */
  readonly clients: Set<string>;
}

type Write = (address: Ip | undefined, reason: string) => Promise<void>;

/**
 * Puts refused sign-ins on record: the first of an address at once, the others together when the minute is over. So
 * a burst of thousands writes a record or two, and botnets write twenty-one a minute.
 */
export class RefusedSignIns {
  readonly #write: Write;
  readonly #minuteMs: number;
  /** What is to be told of each address when the minute ends. */
  #waiting = new Map<string, Tally & { readonly address: Ip | undefined }>();
  #others = newTally();
  #timer: NodeJS.Timeout | undefined;

  constructor(write: Write, { everyMs = minuteMs } = {}) {
    this.#write = write;
    this.#minuteMs = everyMs;
  }

  async note({ address, account }: RefusedSignIn): Promise<void> {
    this.#timer ??= setTimeout(() => void this.flush(), this.#minuteMs).unref();
    const client = signInClient(address);
    const known = this.#waiting.get(client);
    if (known) return add(known, client, account);
    if (this.#waiting.size >= mostAddresses) return add(this.#others, client, account);
    this.#waiting.set(client, { ...newTally(), address });
    await this.#write(address, `1 attempt ${forWhom(account === undefined ? [] : [account])}`);
  }

  /** Ends the minute: what has gathered is told. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [waiting, others] = [this.#waiting, this.#others];
    this.#waiting = new Map();
    this.#others = newTally();
    for (const { address, count, accounts } of waiting.values())
      if (count > 0) await this.#write(address, `${count} more ${forWhom(accounts)}`);
    const { count, accounts, clients } = others;
    if (count === 0) return;
    const from = clients.size < mostClients ? clients.size : `over ${mostClients}`;
    await this.#write(undefined, `${count} from ${from} other addresses, ${forWhom(accounts)}`);
  }
}

/** The ledger of a console. What cannot be recorded is logged: a sign-in that fails must not fail twice. */
export function refusedSignIns(ctx: Omit<Signed, "actor">, log: (line: string) => void): RefusedSignIns {
  return new RefusedSignIns(async (address, reason) => {
    const actor = { name: "unknown", via: "console", ...(address && { address }) };
    await recordRefusal({ ...ctx, actor }, { action: "sign-in", reason }).catch(() =>
      log(
        `sluice: a refused sign-in could not be put on record: ${address ?? "unknown address"}, ${reason}.`,
      ),
    );
  });
}

const newTally = (): Tally => ({ count: 0, accounts: new Set(), clients: new Set() });

function add(tally: Tally, client: string, account: string | undefined): void {
  tally.count++;
  if (tally.clients.size < mostClients) tally.clients.add(client);
  if (account !== undefined && tally.accounts.size < mostAccounts) tally.accounts.add(account);
}

function forWhom(accounts: Iterable<string>): string {
  const named = [...accounts];
  return named.length > 0 ? `for ${named.join(", ")}` : "for no known user";
}
