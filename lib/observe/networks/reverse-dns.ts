import { Resolver } from "node:dns/promises";
import { formatIp } from "../../ip/block.ts";
import { blockOf, type Ip, readBlock } from "../../ip/parse.ts";
import { specialRange } from "../../ip/special-ranges.ts";
import type { DnsNames } from "./claimed-bots.ts";

/** The part of DNS that is needed. */
export interface Dns {
  reverse(ip: string): Promise<string[]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

interface ReverseDnsOptions {
  /** False: DNS is never asked. */
  readonly isOn: boolean;
  readonly dns?: Dns;
  readonly now?: () => number;
  /** For all questions about one address together. */
  readonly withinMs?: number;
}

const keptMs = { answered: 3_600_000, unanswered: 30_000 } as const;
const mostKept = 5_000;
const mostNames = 4;
const longestName = 253;
/** Answers of DNS which say that there is no such name. All other errors leave it unknown. */
const noSuchName = new Set(["ENOTFOUND", "ENODATA"]);

/** Names of addresses by DNS, each confirmed by the address of the name. Remembers 5,000 addresses for up to an hour. */
export class ReverseDns {
  readonly #isOn: boolean;
  readonly #dns: Dns;
  readonly #now: () => number;
  readonly #withinMs: number;
  readonly #kept = new Map<Ip, { readonly found: Promise<DnsNames>; until: number }>();

  constructor({ isOn, withinMs = 1_000, dns, now = Date.now }: ReverseDnsOptions) {
    this.#isOn = isOn;
    this.#withinMs = withinMs;
    this.#dns = dns ?? new Resolver({ timeout: withinMs, tries: 1 });
    this.#now = now;
  }

  /** Never throws. */
  async namesOf(ip: Ip): Promise<DnsNames> {
    if (!this.#isOn) return { outcome: "off", names: [], isPartly: false };
    if (specialRange(blockOf(ip)) !== undefined) return { outcome: "special", names: [], isPartly: false };
    const kept = this.#kept.get(ip);
    if (kept && this.#now() < kept.until) return kept.found;
    if (this.#kept.size >= mostKept) this.#kept.clear();
    const asked = { found: this.#ask(ip), until: Number.POSITIVE_INFINITY };
    this.#kept.set(ip, asked);
    const found = await asked.found;
    const isWhole = found.outcome === "answered" && !found.isPartly;
    asked.until = this.#now() + (isWhole ? keptMs.answered : keptMs.unanswered);
    return found;
  }

  async #ask(ip: Ip): Promise<DnsNames> {
    const limit = new AnswerLimit(this.#withinMs);
    try {
      const names = await limit.of(answerOf(this.#dns.reverse(ip)));
      if (names === undefined) return { outcome: "unanswered", names: [], isPartly: false };
      const some = [...new Set(names)].filter(({ length }) => length <= longestName).slice(0, mostNames);
      const confirmed = await Promise.all(some.map((name) => limit.of(this.#isConfirmed(name, ip))));
      return {
        outcome: "answered",
        names: some.map((name, i) => ({ name, isConfirmed: confirmed[i] === true })),
        isPartly: confirmed.includes(undefined),
      };
    } finally {
      limit.end();
    }
  }

  /** Undefined: DNS did not answer. */
  async #isConfirmed(name: string, ip: Ip): Promise<boolean | undefined> {
    const isV6 = blockOf(ip).family === 6;
    const addresses = await answerOf(isV6 ? this.#dns.resolve6(name) : this.#dns.resolve4(name));
    return addresses?.some((text) => {
      const block = readBlock(text);
      return block !== undefined && formatIp(block) === ip;
    });
  }
}

/** What DNS answered: nothing for a name that does not exist, undefined if it failed. */
async function answerOf(asked: Promise<string[]>): Promise<string[] | undefined> {
  try {
    return await asked;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return typeof code === "string" && noSuchName.has(code) ? [] : undefined;
  }
}

/** A time limit for several answers. */
class AnswerLimit {
  #timer: NodeJS.Timeout | undefined;
  readonly #late: Promise<undefined>;

  constructor(ms: number) {
    this.#late = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, ms, undefined);
      this.#timer.unref();
    });
  }

  /** Undefined: too late. */
  of<T>(answer: Promise<T | undefined>): Promise<T | undefined> {
    return Promise.race([answer, this.#late]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
