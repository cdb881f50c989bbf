import { parseCustomerId } from "../customers/id.ts";
import { DomainError } from "../errors.ts";
import { type Cidr, type Ip, parseAddress, type Refusal } from "../ip/parse.ts";
import { parseDuration } from "../lists/duration.ts";
import type { CustomerId } from "../redis/keys.ts";
import type { Options } from "./options.ts";

/** Reads every address, and tells of each that cannot be read, not of the first alone. */
export function readAddresses(texts: readonly string[], called = "address"): (Ip | Cidr)[] {
  const addresses: (Ip | Cidr)[] = [];
  const problems = new Map<string, string>();
  for (const [i, text] of texts.entries()) {
    const parsed = parseAddress(text);
    if (parsed.ok) addresses.push(parsed.value);
    else problems.set(texts.length === 1 ? called : `${called} ${i + 1}`, reasonOf(parsed));
  }
  if (problems.size === 0) return addresses;
  const told = [...problems.values()].map((problem) => `${problem}.`);
  const rest = texts.length > 1 ? ["Nothing was done."] : [];
  throw new DomainError("bad-input", [...told, ...rest].join("\n"), Object.fromEntries(problems));
}

export function reasonOf({ reason, suggestion }: Refusal): string {
  return suggestion && !reason.includes(suggestion) ? `${reason}; did you mean ${suggestion}?` : reason;
}

export function readCustomerId(text = "", called = "id"): CustomerId {
  const parsed = parseCustomerId(text);
  if (parsed.ok) return parsed.value;
  throw new DomainError("bad-input", `${parsed.reason}.`, { [called]: parsed.reason });
}

/** How long an entry shall live; nothing when it was not said. */
export function readTtl(options: Options): { ttlMs?: number | null } {
  const text = options.text("ttl");
  if (text === undefined) return {};
  const parsed = parseDuration(text);
  if (parsed.ok) return { ttlMs: parsed.value };
  throw new DomainError("bad-input", `--ttl: ${parsed.reason}.`, { ttl: parsed.reason });
}

export function readConfirmed(options: Options): (Ip | Cidr)[] {
  return readAddresses(options.texts("confirm"), "confirm");
}

export function readReason(options: Options): string {
  return options.text("reason") ?? "";
}

const usualLimit = 100;

export function readLimit(options: Options): number {
  const text = options.text("limit") ?? String(usualLimit);
  if (text === "all") return Number.POSITIVE_INFINITY;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  const problem = "it is a whole number from 1, or all";
  throw new DomainError("bad-input", `--limit: ${problem}.`, { limit: problem });
}

/** The number of a version of the policy. */
export function readVersionNumber(text: string, field: string, called = field): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const problem = "it is the number of a version of the policy, from 0";
  throw new DomainError("bad-input", `${called}: ${problem}.`, { [field]: problem });
}
