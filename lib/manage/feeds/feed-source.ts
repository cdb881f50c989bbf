import { z } from "zod";
import { DomainError } from "../../errors.ts";

export const sourceSchema = z.discriminatedUnion("kind", [
  /** `url` has `…` in place of secrets. `header` is the name of the one that carries the API key. */
  z.object({ kind: z.literal("url"), url: z.string().max(2_000), header: z.string().max(100).optional() }),
  z.object({ kind: z.literal("file"), path: z.string().max(1_000) }),
  z.object({ kind: z.literal("as"), asn: z.number().int().min(1).max(4_294_967_295) }),
  z.object({ kind: z.literal("country"), code: z.string().regex(/^[A-Z]{2}$/) }),
]);
/** Where a feed's addresses come from. */
export type FeedSource = z.output<typeof sourceSchema>;

/** A source as it was written. */
export interface WrittenSource {
  readonly source: FeedSource;
  /** The whole URL, where `source` has a part of it alone. */
  readonly url?: string | undefined;
}

const hidden = "…";

/** A source as people write it, without secrets. */
export function saySource(source: FeedSource): string {
  if (source.kind === "url") return withoutSecrets(source.url);
  if (source.kind === "file") return `file://${source.path}`;
  return source.kind === "as" ? `AS${source.asn}` : `country ${source.code}`;
}

/** Whether the URL is only a part of the one that is read. */
export function hasHiddenParts(source: FeedSource): boolean {
  return source.kind === "url" && source.url.includes(hidden);
}

/** Reads `https://…`, `file:///…`, `AS64500` and `country:DE`. */
export function parseSource(text: string): WrittenSource {
  const trimmed = text.trim();
  const asn = /^as:?\s?(\d{1,10})$/i.exec(trimmed)?.[1];
  if (asn !== undefined) return { source: checked({ kind: "as", asn: Number(asn) }, trimmed) };
  const code = /^country[: ]\s?([a-z]{2})$/i.exec(trimmed)?.[1];
  if (code !== undefined) return { source: checked({ kind: "country", code: code.toUpperCase() }, trimmed) };
  if (trimmed.startsWith("file:///"))
    return { source: checked({ kind: "file", path: trimmed.slice(7) }, trimmed) };
  const whole = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (whole?.protocol !== "https:")
    throw badSource(trimmed, "write https://…, file:///…, AS64500 or country:DE");
  whole.hash = "";
  if (trimmed.includes(hidden)) return { source: checked({ kind: "url", url: trimmed }, trimmed) };
  const url = withoutSecrets(whole.href);
  const source = checked({ kind: "url", url }, trimmed);
  return url === whole.href ? { source } : { source, url: checkedUrl(whole.href) };
}

const scheme = "https://";
const secretName = /token|key|secret|pass|pwd|auth|sig|credential|session|licen[cs]e/i;
/** Long, and of letters and digits: a word that people choose is neither. */
const secretValue = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+/=-]{20,}$/;

/** The URL with `…` in place of its user, its password, and values of its query that look like secrets. */
function withoutSecrets(text: string): string {
  if (!text.startsWith(scheme)) return text;
  const [authority, path] = splitAt(text.slice(scheme.length), /[/?]/);
  const [user, host] = authority.includes("@") ? split(authority, "@") : ["", authority];
  const [before, query] = split(path, "?");
  const shown = query
    ?.split("&")
    .map((pair) => {
      const [name, value = ""] = split(pair, "=");
      const isSecret = value !== "" && (secretName.test(name) || secretValue.test(decoded(value)));
      return isSecret ? `${name}=${hidden}` : pair;
    })
    .join("&");
  const shownUser = user === "" ? "" : `${hidden}@`;
  return `${scheme}${shownUser}${host}${before}${shown === undefined ? "" : `?${shown}`}`;
}

function splitAt(text: string, start: RegExp): [before: string, rest: string] {
  const at = text.search(start);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

function split(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const longestUrl = 4_000;

function checkedUrl(url: string): string {
  if (url.length <= longestUrl) return url;
  throw badSource(url, "its length is not possible");
}

function checked(source: FeedSource, text: string): FeedSource {
  const parsed = sourceSchema.safeParse(source);
  if (parsed.success) return parsed.data;
  throw badSource(text, "its number, code or length is not possible");
}

function badSource(text: string, why: string): DomainError {
  const shown = JSON.stringify(withoutSecrets(text).slice(0, 100));
  return new DomainError("bad-input", `${shown} is no source of a feed: ${why}.`, { source: why });
}
