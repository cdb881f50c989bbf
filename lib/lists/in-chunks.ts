import { DomainError, type ErrorCode } from "../errors.ts";
import { type Cidr, type Ip, isCanonical } from "../ip/parse.ts";
import { type Changed, mostAtOnce } from "./change.ts";
import { chunksOf } from "./chunks.ts";

/** What came of a change of many entries, made in chunks with an audit record each. */
export interface BulkResult {
  /** The last of the changes: nodes that have applied it have applied all. Null when nothing was written. */
  readonly change: number | null;
  readonly changes: readonly number[];
  /** Entries written. */
  readonly done: number;
  /** The first hundred that were left as they are, and why. */
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
  /** Not everything fitted into one call: ask again with `after: next`. Null at the end. */
  readonly next: string | null;
}

export interface Skipped {
  readonly address: string;
  readonly message: string;
  readonly code?: ErrorCode;
}

/** What became of one entry. */
export interface Outcome {
  readonly address: string;
  readonly outcome: string;
  readonly message?: string;
  readonly code?: ErrorCode;
}

interface Given {
  readonly addresses: readonly string[];
  /** Begin after this one, where an earlier call stopped. */
  readonly after?: string | undefined;
}

const shownSkipped = 100;
/** After so much work a call answers, so that nobody waits at a page that does not move. */
const patienceMs = 4_000;

/** Changes many entries, a chunk with an audit record each, until it is done or has taken long enough. */
export async function inChunks(
  { addresses, after }: Given,
  change: (chunk: readonly (Ip | Cidr)[]) => Promise<Changed<Outcome>>,
  changeStrays = leaveStrays,
): Promise<BulkResult> {
  const tally = new Tally();
  const deadline = performance.now() + patienceMs;
  const all = [...addresses.filter(isCanonical), ...addresses.filter((text) => !isCanonical(text))];
  const left = after === undefined ? all : all.slice(all.indexOf(after) + 1);
  for (const chunk of chunksOf(left.filter(isCanonical), (address) => address)) {
    if (performance.now() > deadline) return tally.result(true);
    tally.count(chunk, await change(chunk).catch(tally.tellProgress));
  }
  const strays = left.filter((text) => !isCanonical(text));
  for (let start = 0; start < strays.length; start += mostAtOnce) {
    if (performance.now() > deadline) return tally.result(true);
    const chunk = strays.slice(start, start + mostAtOnce);
    tally.count(chunk, await changeStrays(chunk).catch(tally.tellProgress));
  }
  return tally.result(false);
}

async function leaveStrays(texts: readonly string[]): Promise<Changed<Outcome>> {
  const message = "It is not spelled as addresses are: remove it, and add it as it should be.";
  return { change: null, outcomes: texts.map((address) => ({ address, outcome: "refused", message })) };
}

class Tally {
  readonly #changes: number[] = [];
  readonly #skipped: Skipped[] = [];
  #skippedCount = 0;
  #done = 0;
  #last: string | null = null;

  count(asked: readonly string[], { change, outcomes }: Changed<Outcome>): void {
    if (change !== null) this.#changes.push(change);
    for (const outcome of outcomes) this.#add(outcome);
    this.#last = asked.at(-1) ?? this.#last;
  }

  /** Chunks before the one that failed are in force. */
  readonly tellProgress = (error: unknown): never => {
    if (this.#done === 0) throw error;
    const code = error instanceof DomainError ? error.code : "redis-unavailable";
    const message = `It stopped after ${this.#done} entries, which are done. Do it again to go on.`;
    throw new DomainError(code, message, {}, { cause: error });
  };

  result(isCut: boolean): BulkResult {
    return {
      change: this.#changes.at(-1) ?? null,
      changes: this.#changes,
      done: this.#done,
      skipped: this.#skipped,
      skippedCount: this.#skippedCount,
      next: isCut ? this.#last : null,
    };
  }

  #add({ address, outcome, message, code }: Outcome): void {
    if (isWritten(outcome)) {
      this.#done++;
      return;
    }
    this.#skippedCount++;
    if (this.#skipped.length === shownSkipped) return;
    this.#skipped.push({ address, message: message ?? why(address, outcome), ...(code && { code }) });
  }
}

function isWritten(outcome: string): boolean {
  return ["added", "extended", "shortened", "removed", "restored"].includes(outcome);
}

function why(address: string, outcome: string): string {
  return outcome === "kept"
    ? `${address} is there already, for as long or longer.`
    : `${address} is not on the list any more.`;
}
