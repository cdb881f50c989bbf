import type { DomainError, ErrorCode } from "../../errors.ts";
import { widestEntry } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import type { BulkRequest } from "../audit/bulk-record.ts";
import { type BulkRun, BulkStopped, runBulk } from "../audit/run-bulk.ts";
import { type ChangeResult, type ListContext, mostAtOnce } from "./change-entries.ts";

/** The result of a change of many entries. */
export interface BulkResult {
  /** The last change number: nodes that have applied it have applied all. Null when nothing was written. */
  readonly change: number | null;
  /** The record that all of it is in. Null when nothing was written. */
  readonly record: number | null;
  /** Entries written by this call. */
  readonly done: number;
  /** The first hundred that were left as they are, and why. */
  readonly skipped: readonly SkippedEntry[];
  readonly skippedCount: number;
  /** Not everything fitted into one call: ask again with `after: next`. Null at the end. */
  readonly next: string | null;
  /** Why it stopped before the end, after something was written. */
  readonly stopped?: Pick<DomainError, "code" | "message">;
}

export interface SkippedEntry {
  readonly address: string;
  readonly message: string;
  readonly code?: ErrorCode;
}

/** The outcome of one entry. */
export interface ChunkOutcome {
  readonly address: string;
  readonly outcome: string;
  readonly message?: string;
  readonly code?: ErrorCode;
}

/** One call of a request that takes several: all of them go into one record. */
export interface CallPart {
  /** The id of the request. */
  readonly of: string;
  /** How many entries the whole request is about. */
  readonly wanted: number;
  readonly isLast: boolean;
  /** Calls of the same request came before. */
  readonly isContinued?: boolean;
}

interface ChunkedRequest extends Pick<BulkRequest, "action" | "reason" | "request"> {
  readonly addresses: readonly string[];
  /** Begin after this one, where an earlier call stopped. */
  readonly after?: string | undefined;
  readonly part?: CallPart | undefined;
  /** True where doing it twice differs from once: only a call that says where to begin continues a record. */
  readonly isEachTime?: boolean;
}

type ChunkChange<A> = (ctx: ListContext, chunk: readonly A[]) => Promise<ChangeResult<ChunkOutcome>>;

const shownSkipped = 100;
/** Time after which a call answers, so that the page shows progress. */
const patienceMs = 4_000;

/** Changes many entries, a chunk at a time, in one record, until it is done or has taken long enough. */
export async function inChunks(
  ctx: ListContext,
  { addresses, after, part, isEachTime = false, ...what }: ChunkedRequest,
  change: ChunkChange<Ip | Cidr>,
  changeStrays: ChunkChange<string> = leaveStrays,
): Promise<BulkResult> {
  const tally = new OutcomeTally();
  const steps = stepsOf(addresses, after, change, changeStrays);
  const running = runBulk(ctx, {
    ...what,
    request: part?.of ?? what.request,
    wanted: part?.wanted ?? addresses.length,
    isOneStep: steps.length <= 1 && (part?.isLast ?? true),
    isLast: part?.isLast ?? true,
    mayContinue: !isEachTime || after !== undefined || part?.isContinued === true,
    patienceMs,
    steps: () => steps,
    async run(inside, { chunk, make }) {
      const made = await make(inside);
      return { ...made, done: tally.count(chunk, made.outcomes) };
    },
  });
  return running.then(
    (run) => tally.result(run),
    (error: unknown) => {
      if (!(error instanceof BulkStopped)) throw error;
      const { run, code, message } = error;
      return { ...tally.result(run), stopped: { code, message } };
    },
  );
}

function stepsOf(
  addresses: readonly string[],
  after: string | undefined,
  change: ChunkChange<Ip | Cidr>,
  changeStrays: ChunkChange<string>,
) {
  const all = [...addresses.filter(isCanonical), ...addresses.filter((text) => !isCanonical(text))];
  const left = after === undefined ? all : all.slice(all.indexOf(after) + 1);
  const strays = left.filter((text) => !isCanonical(text));
  const strayChunks = Array.from({ length: Math.ceil(strays.length / mostAtOnce) }, (_, i) =>
    strays.slice(i * mostAtOnce, (i + 1) * mostAtOnce),
  );
  return [
    ...[...chunksOf(left.filter(isCanonical), (address) => address)].map((chunk) => ({
      chunk,
      make: (ctx: ListContext) => change(ctx, chunk),
    })),
    ...strayChunks.map((chunk) => ({ chunk, make: (ctx: ListContext) => changeStrays(ctx, chunk) })),
  ];
}

const leaveStrays: ChunkChange<string> = async (_, texts) => {
  const message = "It is not a canonical address. Remove it, then add it in its canonical form.";
  const outcomes = texts.map((address) => ({ address, outcome: "refused", message }));
  return { change: null, record: null, outcomes };
};

class OutcomeTally {
  readonly #skipped: SkippedEntry[] = [];
  #skippedCount = 0;
  #last: string | null = null;

  /** @returns how many entries were written */
  count(asked: readonly string[], outcomes: readonly ChunkOutcome[]): number {
    this.#last = asked.at(-1) ?? this.#last;
    const left = outcomes.filter(({ outcome }) => !isWritten(outcome));
    for (const outcome of left) this.#skip(outcome);
    return outcomes.length - left.length;
  }

  result({ change, record, done, before, isWhole }: BulkRun): BulkResult {
    return {
      ...{ change, record, done: done - before },
      skipped: this.#skipped,
      skippedCount: this.#skippedCount,
      next: isWhole ? null : this.#last,
    };
  }

  #skip({ address, outcome, message, code }: ChunkOutcome): void {
    this.#skippedCount++;
    if (this.#skipped.length === shownSkipped) return;
    this.#skipped.push({ address, message: message ?? why(address, outcome), ...(code && { code }) });
  }
}

function isWritten(outcome: string): boolean {
  return ["added", "extended", "shortened", "tagged", "removed", "restored"].includes(outcome);
}

function why(address: string, outcome: string): string {
  return outcome === "kept"
    ? `${address} is on the list already, for as long or longer.`
    : `${address} is no longer on the list.`;
}

const mostLookUps = 10_000;

/** Each chunk is one script call in Redis, so its look-ups are bounded, too: IPv6 has six times the ranges. */
export function* chunksOf<T>(things: readonly T[], addressOf: (thing: T) => Ip | Cidr): Generator<T[]> {
  let chunk: T[] = [];
  let lookUps = 0;
  for (const thing of things) {
    const { family, length } = blockOf(addressOf(thing));
    const cost = Math.max(length - widestEntry[family], 0) + 1;
    if (chunk.length === mostAtOnce || lookUps + cost > mostLookUps) {
      yield chunk;
      [chunk, lookUps] = [[], 0];
    }
    chunk.push(thing);
    lookUps += cost;
  }
  if (chunk.length > 0) yield chunk;
}
