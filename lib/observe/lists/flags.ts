import { whyNotEnforced } from "../../enforce/lists/lockout.ts";
import { type ProtectedRange, protector, readRanges } from "../../enforce/lists/protected.ts";
import { format } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical, parseAddress } from "../../ip/parse.ts";
import { PrefixTable } from "../../ip/prefix-table.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName, listNames } from "../../redis/keys.ts";
import { type RawEntry, scanList } from "./scan.ts";

export interface Flag {
  /** The key in Redis, as it is spelled there. */
  readonly key: string;
  readonly message: string;
  /** False: the key is not enforced. True: it is an entry that another entry overrules. */
  readonly isEntry: boolean;
}

export interface Flags {
  /** The first hundred. */
  readonly flags: readonly Flag[];
  readonly count: number;
}

const mostFlags = 100;

/** Keys under Sluice's names that have no effect, or not the one that their writer meant. */
export async function findFlagged(
  redis: Connection,
  protectedRanges: readonly ProtectedRange[],
): Promise<Flags> {
  const hash = new Map(Object.entries(await readHash(redis)));
  const neverBlock = readRanges(hash);
  const judge = new Judge(protector([...protectedRanges, ...neverBlock.ranges]));
  for (const text of neverBlock.unreadable) {
    judge.report(
      keys.neverBlock(),
      `the field "${text.slice(0, 50)}" is no range and protects nothing`,
      false,
    );
  }
  // The safelist comes first: it overrules what the blocklist says.
  for (const list of listNames) {
    for await (const entry of scanList(redis, list)) judge.check(list, entry);
  }
  return judge.verdict;
}

async function readHash(redis: Connection): Promise<Record<string, string>> {
  return (await redis.type(keys.neverBlock())) === "hash" ? redis.hgetall(keys.neverBlock()) : {};
}

class Judge {
  readonly #protector: ReturnType<typeof protector>;
  readonly #safe = new PrefixTable();
  readonly #flags: Flag[] = [];
  #count = 0;

  constructor(protect: ReturnType<typeof protector>) {
    this.#protector = protect;
  }

  get verdict(): Flags {
    return { flags: this.#flags, count: this.#count };
  }

  report(key: string, message: string, isEntry: boolean): void {
    this.#count++;
    if (this.#flags.length < mostFlags) this.#flags.push({ key, message, isEntry });
  }

  check(list: ListName, { text, kind }: RawEntry): void {
    const key = `${keys.entryPrefix(list)}${text}`;
    if (!isCanonical(text)) {
      this.report(key, misspelling(list, text), false);
      return;
    }
    const problem = whyNotEnforced(list, text, kind, this.#protector);
    if (problem) this.report(key, problem, false);
    else if (list === "safelist") this.#safe.set(blockOf(text), 0);
    else this.#compare(key, text);
  }

  #compare(key: string, address: Ip | Cidr): void {
    const cover = this.#safe.match(blockOf(address), () => true);
    if (cover) this.report(key, `${keys.entry("safelist", format(cover.block))} overrules it`, true);
  }
}

/** How a key must be spelled to have an effect. */
export function misspelling(list: ListName, text: string): string {
  const parsed = parseAddress(text);
  if (parsed.ok)
    return `it is not spelled as addresses are looked up: write ${keys.entry(list, parsed.value)} instead`;
  const meant = parsed.suggestion ? `; perhaps ${keys.entry(list, parsed.suggestion)} was meant` : "";
  return `${parsed.reason}${meant}`;
}
