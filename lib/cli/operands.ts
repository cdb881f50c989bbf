import { parseCustomerId } from "../enforce/customers/id.ts";
import { parseDuration } from "../enforce/lists/entry.ts";
import { type Level, plainLevelsSchema } from "../enforce/policy/levels.ts";
import { DomainError } from "../errors.ts";
import { type AddressRefusal, type Cidr, type Ip, parseAddress } from "../ip/parse.ts";
import { parseTags } from "../manage/lists/tags.ts";
import type { CustomerId } from "../redis/keys.ts";
import type { GivenOptions } from "./options.ts";

/** Parses addresses. The error lists every address that cannot be read. */
export function readAddresses(texts: readonly string[], field = "address"): (Ip | Cidr)[] {
  const addresses: (Ip | Cidr)[] = [];
  const problems = new Map<string, string>();
  for (const [i, text] of texts.entries()) {
    const parsed = parseAddress(text);
    if (parsed.ok) addresses.push(parsed.value);
    else problems.set(texts.length === 1 ? field : `${field} ${i + 1}`, reasonOf(parsed));
  }
  if (problems.size === 0) return addresses;
  const sentences = [...problems.values()].map((problem) => `${problem}.`);
  const rest = texts.length > 1 ? ["Nothing was changed."] : [];
  throw new DomainError("bad-input", [...sentences, ...rest].join("\n"), Object.fromEntries(problems));
}

export function reasonOf({ reason, suggestion }: AddressRefusal): string {
  return suggestion && !reason.includes(suggestion) ? `${reason}; did you mean ${suggestion}?` : reason;
}

export function readCustomerId(text: string, field = "id"): CustomerId {
  const parsed = parseCustomerId(text);
  if (parsed.ok) return parsed.value;
  throw new DomainError("bad-input", `${parsed.reason}.`, { [field]: parsed.reason });
}

/** Lifetime of an entry. Without --ttl the field is missing. */
export function readTtl(options: GivenOptions): { ttlMs?: number | null } {
  const text = options.text("ttl");
  if (text === undefined) return {};
  const parsed = parseDuration(text);
  if (parsed.ok) return { ttlMs: parsed.value };
  throw new DomainError("bad-input", `--ttl: ${parsed.reason}.`, { ttl: parsed.reason });
}

/** Lifetime in ms, from --expires. Null, also without the option, never expires. */
export function readExpires(options: GivenOptions): number | null {
  const text = options.text("expires");
  if (text === undefined) return null;
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.value;
  const problem = "write 90s, 30m, 24h, 7d, 1w or never, from one second to ten years";
  throw new DomainError("bad-input", `--expires: ${problem}.`, { expires: problem });
}

export function readConfirmed(options: GivenOptions): (Ip | Cidr)[] {
  return readAddresses(options.texts("confirm"), "confirm");
}

export function readReason(options: GivenOptions): string {
  return options.text("reason") ?? "";
}

/** Tags of an option that may be repeated. */
export function readTags(options: GivenOptions, name: "tag" | "untag" = "tag"): readonly string[] {
  const parsed = parseTags(options.texts(name).join(" "));
  if (parsed.ok) return parsed.value;
  throw new DomainError("bad-input", `--${name}: ${parsed.reason}.`, { [name]: parsed.reason });
}

export function readOneTag(options: GivenOptions): string | undefined {
  const [tag, another] = readTags(options);
  const isOne = another === undefined && (tag !== undefined || !options.has("tag"));
  if (isOne) return tag;
  throw new DomainError("bad-input", "--tag: give one tag.", { tag: "give one tag" });
}

const defaultLimit = 100;

export function readLimit(options: GivenOptions): number {
  const text = options.text("limit") ?? String(defaultLimit);
  if (text === "all") return Number.POSITIVE_INFINITY;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  const problem = "write a whole number from 1, or all";
  throw new DomainError("bad-input", `--limit: ${problem}.`, { limit: problem });
}

/** Parses the number of a policy version. */
export function readVersionNumber(text: string, field: string, name = field): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const problem = "write the number of a policy version, from 0";
  throw new DomainError("bad-input", `${name}: ${problem}.`, { [field]: problem });
}

/** Parses `100/60s 1000/1h`. The error lists every level that is not valid. */
export function readLevels(texts: readonly string[]): readonly Level[] {
  const problems = new Map<string, string>();
  const report = (text: string, problem: string) => {
    if (!problems.has(text)) problems.set(text, `"${text.slice(0, 50)}" is not a valid level: ${problem}`);
  };
  const read = texts.flatMap((text) => {
    const level = readLevel(text);
    if (!level) report(text, "write limit/period, such as 100/60s, 1000/1h or 10000/1d");
    return level ? [{ text, level }] : [];
  });
  const checked = plainLevelsSchema.safeParse(read.map(({ level }) => level));
  for (const { path, message } of checked.error?.issues ?? []) {
    const at = read[Number(path[0] ?? Number.NaN)];
    if (at)
      report(at.text, path[1] === "limit" ? `as its limit, ${message}` : `as its period in s, ${message}`);
    else if (read.length > 0) problems.set("levels", message);
  }
  if (checked.success && problems.size === 0) return checked.data;
  const sentences = [...problems.values()].map((problem) => `${problem}.`);
  throw new DomainError(
    "bad-input",
    [...sentences, "Nothing was changed."].join("\n"),
    Object.fromEntries(problems),
  );
}

/** Undefined if the text has not the form of a level. Bounds are checked by the policy's schema. */
function readLevel(text: string): Level | undefined {
  const [, limit, period] = /^(\d+)\/((?:\d+[wdhms])+)$/i.exec(text.trim()) ?? [];
  if (limit === undefined || period === undefined) return undefined;
  const duration = parseDuration(period);
  return { limit: Number(limit), periodSeconds: duration.ok ? (duration.value ?? 0) / 1_000 : 0 };
}

/** How long a change lasts, from --for, in ms. Undefined for one without an end. */
export function readFor(options: GivenOptions): number | undefined {
  const text = options.text("for");
  if (text === undefined) return undefined;
  const duration = parseDuration(text);
  if (duration.ok && duration.value !== null) return duration.value;
  const problem = duration.ok ? "leave --for out for a change without an end" : duration.reason;
  throw new DomainError("bad-input", `--for: ${problem}.`, { for: problem });
}
