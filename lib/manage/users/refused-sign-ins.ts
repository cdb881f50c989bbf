import type { Ip } from "../../ip/parse.ts";
import { recordRefusal } from "../audit/denied-attempts.ts";
import type { Signed } from "../audit/record.ts";
import { signInClient } from "./sign-in-client.ts";
import { slowdown } from "./sign-in-levels.ts";

const minuteMs = 60_000;
/** While refusals go on, a summary is written less and less often. */
const longestMs = 15 * minuteMs;
/** Records of single addresses: so many at once, and then one in this time. */
const mostSingle = 20;
const singleEveryMs = 5 * minuteMs;
const mostAccounts = 5;
const mostNamed = 5;
const mostClients = 10_000;

/** A sign-in that failed, or was not tried. */
export interface RefusedSignIn {
  readonly address: Ip | undefined;
  /** The user's email, if there is such a user. Other typed text may be anything, even a password. */
  readonly account: string | undefined;
  /** A reason that an admin should know. A summary leaves it out. */
  readonly why?: string | undefined;
}

interface SignInTally {
  count: number;
  readonly accounts: Set<string>;
  /** How often each client failed; bounded, as all that strangers fill. */
  readonly clients: Map<string, { count: number; readonly address: Ip | undefined }>;
  /** Accounts that were slowed down. As many as there are users, at most. */
  readonly slowed: Set<string>;
}

interface RefusedSignInOptions {
  /** What an attempt without a known account was for. */
  readonly unknown?: string;
  /** Ms until the first summary. */
  readonly everyMs?: number;
  /** Ms, monotonic. */
  readonly clock?: () => number;
  /** For tests: how long the next summary waits. */
  readonly onWait?: (ms: number) => void;
}

type RecordWriter = (address: Ip | undefined, reason: string) => Promise<void>;

/**
 * Puts refused sign-ins on record, in a number of records that no stranger can drive up: the first attempt of an address at
 * once, as long as there are few such addresses, and all others in one summary when the time is over. An attack writes some
 * 400 records a day if it never rests, and less than 1,000 whatever its size and rhythm. Accounts that it slows down come out of the
 * same budget.
 */
export class RefusedSignIns {
  readonly #write: RecordWriter;
  readonly #shortestMs: number;
  readonly #clock: () => number;
  readonly #onWait: RefusedSignInOptions["onWait"];
  readonly #unknown: string;
  #everyMs: number;
  #single = mostSingle;
  #singleSince = 0;
  /** Clients with a record of their own since the last summary. */
  #known = new Set<string>();
  #tally = newTally();
  #timer: NodeJS.Timeout | undefined;

  constructor(write: RecordWriter, options: RefusedSignInOptions = {}) {
    const { everyMs = minuteMs, clock = () => performance.now(), onWait, unknown = "user" } = options;
    this.#write = write;
    this.#unknown = unknown;
    this.#onWait = onWait;
    this.#shortestMs = everyMs;
    this.#everyMs = everyMs;
    this.#clock = clock;
    this.#singleSince = clock();
  }

  async note({ address, account, why }: RefusedSignIn): Promise<void> {
    this.#timer ??= this.#wait();
    const client = signInClient(address);
    if (this.#known.has(client) || !this.#takeSingle()) return add(this.#tally, client, { address, account });
    this.#known.add(client);
    const attempt = `1 attempt ${this.#for(account === undefined ? [] : [account])}`;
    await this.#write(address, why === undefined ? attempt : `${attempt}: ${why}`);
  }

  /** An account has failed so often that further attempts for it are slowed down. */
  async noteSlowdown(account: string): Promise<void> {
    this.#timer ??= this.#wait();
    if (!this.#takeSingle()) return void this.#tally.slowed.add(account);
    const { after, periodSeconds, delayMs } = slowdown;
    const within = `${after} failures within ${periodSeconds / 60} min, from any address`;
    await this.#write(
      undefined,
      `${within}, for ${account}: attempts for it take turns, one every ${delayMs / 1_000} s`,
    );
  }

  /** Writes the summary of the refusals since the last one. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { count, accounts, clients, slowed } = this.#tally;
    this.#tally = newTally();
    this.#known = new Set();
    const isQuiet = count === 0 && slowed.size === 0;
    this.#everyMs = isQuiet
      ? this.#shortestMs
      : Math.min(2 * this.#everyMs, Math.max(longestMs, this.#shortestMs));
    if (isQuiet) return;
    const [only, ...others] = [...clients.values()];
    const isOne = only !== undefined && others.length === 0;
    const where = isOne || count === 0 ? "" : ` from ${fromWhere(clients)},`;
    const said = count > 0 ? [`${count} more${where} ${this.#for(accounts)}`] : [];
    await this.#write(isOne ? only.address : undefined, [...said, ...saySlowed(slowed)].join("; "));
  }

  #for(accounts: Iterable<string>): string {
    const named = [...accounts];
    return named.length > 0 ? `for ${named.join(", ")}` : `for no known ${this.#unknown}`;
  }

  #wait(): NodeJS.Timeout {
    this.#onWait?.(this.#everyMs);
    return setTimeout(() => void this.flush(), this.#everyMs).unref();
  }

  #takeSingle(): boolean {
    const earned = Math.floor((this.#clock() - this.#singleSince) / singleEveryMs);
    this.#singleSince += earned * singleEveryMs;
    this.#single = Math.min(mostSingle, this.#single + earned);
    if (this.#single === 0) return false;
    this.#single--;
    return true;
  }
}

/** What the reason of such a record says: how many attempts, and whether an account is slowed down. */
export function refusedAttempts(reason: string): { readonly count: number; readonly isSlowdown: boolean } {
  const [, attempts] = /^(\d{1,9}) (?:attempt|more) /.exec(reason) ?? [];
  const isSlowdown = reason.includes(": attempts for it take turns") || reason.includes(" slowed down: ");
  return { count: Number(attempts ?? 0), isSlowdown };
}

/** The ledger of a console. What cannot be recorded is logged: a sign-in that fails must not fail twice. */
export function refusedSignIns(ctx: Omit<Signed, "actor">, log: (line: string) => void): RefusedSignIns {
  return new RefusedSignIns(async (address, reason) => {
    const actor = { name: "unknown", via: "console", ...(address && { address }) };
    await recordRefusal({ ...ctx, actor }, { action: "sign-in", reason }).catch(() =>
      log(`sluice: a refused sign-in could not be recorded: ${address ?? "unknown address"}, ${reason}.`),
    );
  });
}

const newTally = (): SignInTally => ({
  count: 0,
  accounts: new Set(),
  clients: new Map(),
  slowed: new Set(),
});

function add(tally: SignInTally, client: string, { address, account }: RefusedSignIn): void {
  tally.count++;
  const held = tally.clients.get(client);
  if (held) held.count++;
  else if (tally.clients.size < mostClients) tally.clients.set(client, { count: 1, address });
  if (account !== undefined && tally.accounts.size < mostAccounts) tally.accounts.add(account);
}

/** "180 addresses (203.0.113.7, 203.0.113.9 and others)", the busiest first. */
function fromWhere(clients: SignInTally["clients"]): string {
  const number = clients.size < mostClients ? clients.size : `over ${mostClients}`;
  const busiest = [...clients].sort(([, one], [, other]) => other.count - one.count).slice(0, mostNamed);
  const more = clients.size > busiest.length ? " and others" : "";
  return `${number} addresses (${busiest.map(([client]) => client).join(", ")}${more})`;
}

function saySlowed(slowed: ReadonlySet<string>): string[] {
  if (slowed.size === 0) return [];
  const named = [...slowed].slice(0, mostNamed).join(", ");
  const more = slowed.size > mostNamed ? " and others" : "";
  const accounts = slowed.size === 1 ? "1 more account is" : `${slowed.size} more accounts are`;
  return [`${accounts} slowed down: ${named}${more}`];
}
