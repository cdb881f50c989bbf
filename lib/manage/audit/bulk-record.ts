import { createHash } from "node:crypto";
import { keys } from "../../redis/keys.ts";
import { commit, nextNumber } from "./commit.ts";
import { withState } from "./parts.ts";
import type { AuditRecord, BulkState, OpenBulk, RecordTarget, Signed } from "./record.ts";
import { RecordFinished } from "./secret.ts";
import { isDamaged, readFields, readRow } from "./stored.ts";

/** After this long the same request is a new one: yesterday's list, today again. */
const continuedWithinMs = 86_400_000;

export interface BulkRequest {
  readonly action: string;
  readonly reason: string;
  /** How many entries the request is about. */
  readonly wanted: number;
  /** The content by which the same request is recognized. */
  readonly request: unknown;
}

/** One record for a request that takes several steps, and perhaps several calls: begun with the first entry that is written. */
export class BulkRecord implements RecordTarget {
  readonly #ctx: Signed;
  readonly #request: BulkRequest;
  readonly #digest: string;
  #found: UnfinishedBulk | undefined;
  #bulk: OpenBulk | undefined;

  constructor(ctx: Signed, request: BulkRequest) {
    this.#ctx = ctx;
    this.#request = request;
    this.#digest = digestOf(ctx, request);
  }

  get bulk(): OpenBulk | undefined {
    return this.#bulk;
  }

  /** Progress of the unfinished record that was found. */
  get found(): BulkState | undefined {
    return this.#found?.state;
  }

  /** How many entries the record is about, as said when it was begun. */
  get wanted(): number {
    return this.#found?.wanted ?? this.#request.wanted;
  }

  /** Continues the record that the same request of the same actor has begun and not finished. */
  async find(): Promise<boolean> {
    this.#found = await findUnfinished(this.#ctx, this.#digest);
    this.#bulk = this.#found?.bulk;
    return this.#found !== undefined;
  }

  async begin(): Promise<void> {
    const { action, reason, wanted } = this.#request;
    const { record } = await commit(this.#ctx, {
      ...{ action, reason, slots: [unfinished(this.#digest)], opens: { wanted, digest: this.#digest } },
      decide: (seen) => ({
        writes: [{ slot: 0, to: { value: String(nextNumber(seen)), expiresAt: null } }],
      }),
    });
    this.#bulk = record ?? undefined;
  }

  /** Closes the record: no more entries follow. */
  async finish(): Promise<void> {
    if (this.#bulk) await closeBulk(this.#ctx, this.#bulk, this.#digest);
  }
}

/** Ends a record; one that another process has just ended stays as it is. */
export async function closeBulk(ctx: Signed, bulk: OpenBulk, digest: string): Promise<void> {
  const into = { bulk, begin: async () => {} };
  const closing = commit(
    { ...ctx, into },
    {
      ...{ action: "close", reason: "", slots: [unfinished(digest)], isClosing: true },
      decide: ({ slots: [held] }) => ({
        writes: held?.value === String(bulk.n) ? [{ slot: 0, to: null }] : [],
        isOnRecord: true,
      }),
    },
  );
  await closing.catch((error: unknown) => {
    if (!(error instanceof RecordFinished)) throw error;
  });
}

function unfinished(digest: string) {
  return { key: keys.auditUnfinished(), field: digest, isAside: true, target: digest };
}

function digestOf({ actor, undoes }: Signed, { action, reason, request }: BulkRequest): string {
  const same = [action, reason, actor.name, actor.via, undoes?.n ?? null, request];
  return createHash("sha256").update(JSON.stringify(same)).digest("hex");
}

interface UnfinishedBulk {
  readonly bulk: OpenBulk;
  readonly state: BulkState;
  readonly wanted: number;
}

/** Any writer may have put a number there: only the sealed record says which request and actor it belongs to. */
async function findUnfinished(ctx: Signed, digest: string): Promise<UnfinishedBulk | undefined> {
  const n = await ctx.redis.hget(keys.auditUnfinished(), digest).catch(() => null);
  if (n === null || !/^[1-9]\d{0,14}$/.test(n)) return undefined;
  const [row] = await ctx.redis.xrange(keys.audit(), `${n}-0`, `${n}-0`);
  if (!row) return undefined;
  const [id, fields] = row;
  const read = readRow({ id, fields });
  const { previous, record, mac } = readFields(fields);
  if (isDamaged(read) || ctx.seal.record(previous, record) !== mac) return undefined;
  const { bulk } = await withState(ctx.redis, ctx.seal, read);
  const state = bulk?.state;
  if (bulk?.digest !== digest || !state || state.isClosed || !isSameActor(ctx, read)) return undefined;
  return { bulk: { n: read.n, at: read.at, mac }, state, wanted: bulk.wanted };
}

function isSameActor({ actor }: Signed, { actor: name, via, at }: AuditRecord): boolean {
  return actor.name === name && actor.via === via && Date.now() - Date.parse(at) < continuedWithinMs;
}
