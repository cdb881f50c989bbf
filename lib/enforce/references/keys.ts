import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { parseObject } from "../lists/entry.ts";
import { mostKeyNumbers, ReferenceKey } from "./reference.ts";

/** A key in Redis. */
export interface StoredReferenceKey {
  /** From 1 on. */
  readonly number: number;
  /** 32 bytes in hexadecimal. */
  readonly secret: string;
  /** Ms since 1970 from which on references of the key are no longer read. Null for the key that nodes write with. */
  readonly until: number | null;
}

/** The keys, the newest first. Empty without any, and for what is none. */
export async function readReferenceKeys(redis: Connection): Promise<readonly StoredReferenceKey[]> {
  return parseReferenceKeys(await readText(redis));
}

/** A key of another type reads as none, and so does one that an account of an earlier version may not read. */
function readText(redis: Pick<Connection, "get">): Promise<string | null> {
  return redis.get(keys.referenceKeys()).catch((error: Error) => {
    if (/^(WRONGTYPE|NOPERM)/.test(error.message)) return null;
    throw error;
  });
}

export function parseReferenceKeys(text: string | null): readonly StoredReferenceKey[] {
  const { keys: all } = parseObject(text ?? "") ?? {};
  return Array.isArray(all) ? all.filter(isStored) : [];
}

export function writeReferenceKeys(all: readonly StoredReferenceKey[]): string {
  return JSON.stringify({ keys: all });
}

function isStored(value: unknown): value is StoredReferenceKey {
  if (typeof value !== "object" || value === null) return false;
  const { number, secret, until } = value as Partial<Record<keyof StoredReferenceKey, unknown>>;
  return (
    Number.isInteger(number) &&
    Number(number) > 0 &&
    Number(number) <= mostKeyNumbers &&
    typeof secret === "string" &&
    /^[0-9a-f]{64}$/.test(secret) &&
    (until === null || typeof until === "number")
  );
}

export function referenceKeyOf({ number, secret }: StoredReferenceKey): ReferenceKey {
  return new ReferenceKey(number, Buffer.from(secret, "hex"));
}

/** The key that a node writes references with. It reads it as it reads the policy. */
export class WritingKey {
  #text: string | null = null;
  #key: ReferenceKey | undefined;

  /** Undefined in an installation without keys: denials have no reference. */
  get key(): ReferenceKey | undefined {
    return this.#key;
  }

  async read(redis: Pick<Connection, "get">): Promise<void> {
    const text = await readText(redis);
    if (text === this.#text) return;
    this.#text = text;
    const stored = parseReferenceKeys(text).find(({ until }) => until === null);
    this.#key = stored && referenceKeyOf(stored);
  }
}
