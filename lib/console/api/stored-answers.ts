import { createHash } from "node:crypto";
import { DomainError } from "../../errors.ts";
import type { ApiToken } from "../../manage/tokens/token.ts";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { isEffectUnknown } from "../failure.ts";
import { ApiRefusal } from "./problem.ts";

const keptSeconds = 86_400;
/** Longer than any request takes. A process that dies in between leaves its mark for this time. */
const underWaySeconds = 60;
/** Of each token. The oldest make room. */
const mostKept = 1_000;

/** An answer that is repeated for the same request. */
interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly version?: string | undefined;
}

/** The first answer. */
export interface GivenAnswer extends StoredAnswer {
  /** Members of the body that are not stored. */
  readonly shownOnce?: Readonly<Record<string, unknown>>;
}

interface RequestKey {
  readonly token: ApiToken;
  /** From the header Idempotency-Key. */
  readonly key: string;
  /** What makes two requests the same: method, path, query, If-Match and body. */
  readonly request: string;
}

/**
 * Does a write once for an idempotency key. The same request gets the answer of the first one for a day; another request with the
 * key is refused. A write that is refused leaves no answer, so it can be repeated. One that may have been written is not repeated.
 */
export async function once(
  redis: Connection,
  { token, key, request }: RequestKey,
  write: () => Promise<GivenAnswer>,
): Promise<{ readonly answer: GivenAnswer; readonly isReplayed: boolean }> {
  checkKey(key);
  const place = digest(key);
  const name = keys.apiAnswer(token.id, place);
  const same = digest(request);
  const mark = JSON.stringify({ same });
  const isFirst = await redis.set(name, mark, "EX", underWaySeconds, "NX");
  if (isFirst === null) return { answer: readAnswer(await redis.get(name), same), isReplayed: true };
  try {
    const answer = await write();
    const { shownOnce: _, ...stored } = answer;
    await keep(redis, { token, place, text: JSON.stringify({ same, answer: stored }) });
    return { answer, isReplayed: false };
  } catch (error) {
    if (!(error instanceof ApiRefusal) && isEffectUnknown(error))
      await keep(redis, { token, place, text: JSON.stringify({ same, isUnknown: true }) });
    // Only its own mark: nothing was stored yet.
    else await redis.del(name).catch(() => {});
    throw error;
  }
}

async function keep(
  redis: Connection,
  { token, place, text }: { readonly token: ApiToken; readonly place: string; readonly text: string },
): Promise<void> {
  const index = keys.apiAnswers(token.id);
  try {
    await redis
      .multi()
      .set(keys.apiAnswer(token.id, place), text, "EX", keptSeconds)
      .zadd(index, Date.now(), place)
      .expire(index, keptSeconds)
      .exec();
    const oldest = await redis.zrange(index, 0, String(-1 - mostKept));
    if (oldest.length === 0) return;
    await redis
      .multi()
      .unlink(...oldest.map((one) => keys.apiAnswer(token.id, one)))
      .zrem(index, ...oldest)
      .exec();
  } catch {
    // The change is written. Its answer must not become an error because it cannot be repeated.
  }
}

function readAnswer(text: string | null, same: string): StoredAnswer {
  const stored = parseObject(text ?? "") ?? {};
  if (text !== null && stored.same !== same)
    throw new ApiRefusal({
      ...{ status: 422, code: "bad-input", fields: { "Idempotency-Key": "used for another request" } },
      detail:
        "Idempotency-Key was used for another request within a day. Nothing was written: use a new key.",
    });
  const answer = stored.answer as StoredAnswer | undefined;
  if (answer) return answer;
  if (stored.isUnknown === true)
    throw new ApiRefusal({
      ...{ status: 409, code: "changed-since", isUnknown: true },
      detail:
        "The first request with this Idempotency-Key failed, and it is unknown whether the change was written. Read what is there now, then use a new key.",
    });
  throw new DomainError(
    "changed-since",
    "A request with this Idempotency-Key is under way. Repeat it in a few seconds.",
  );
}

function checkKey(key: string): void {
  if (/^[!-~]{1,200}$/.test(key)) return;
  throw new DomainError("bad-input", "Idempotency-Key has 1 to 200 characters of ASCII, without spaces.", {
    "Idempotency-Key": "1 to 200 characters of ASCII",
  });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
