import { DomainError } from "../../errors.ts";
import { checkLength, type FeedDefinition } from "./definition.ts";
import { unusedMs } from "./feed-contents.ts";
import { type FeedSecret, readSecret, type SecretContext, storeSecret } from "./feed-secret.ts";
import { type FeedSource, hasHiddenParts, saySource, type WrittenSource } from "./feed-source.ts";

const shortestMs = 60_000;
const longestMs = 31 * 24 * 3_600_000;

/** The source with this header. An empty one removes it. */
export function withHeader(source: FeedSource, header: string | undefined): FeedSource {
  if (source.kind !== "url" || header === undefined) return source;
  const { kind, url } = source;
  return header === "" ? { kind, url } : { kind, url, header };
}

/** A URL as readers see it cannot be read. */
export function requireWhole(source: FeedSource, { url }: WrittenSource): void {
  if (url !== undefined || !hasHiddenParts(source)) return;
  const why = "it has … in place of a secret: write the whole URL";
  throw new DomainError("bad-input", `The source cannot be read: ${why}.`, { source: why });
}

interface CheckedTerms
  extends Pick<FeedDefinition, "source" | "list" | "everyMs" | "keepMs" | "holdPercent" | "keysTtlMs"> {
  readonly apiKey?: string | undefined;
}

/** Throws for what no feed may have. */
export function checkTerms({
  source,
  list,
  everyMs,
  keepMs,
  holdPercent,
  apiKey,
  keysTtlMs,
}: CheckedTerms): void {
  const refuse = (field: string, why: string) => {
    throw new DomainError("bad-input", `${field}: ${why}.`, { [field]: why });
  };
  if (!(everyMs >= shortestMs && everyMs <= longestMs))
    refuse("every", "a feed is read once a minute at most, once a month at least");
  if (keepMs !== null && !(keepMs >= 3_600_000)) refuse("keep", "contents are kept for an hour at least");
  if (!(holdPercent >= 1 && holdPercent <= 10_000)) refuse("hold", "write a number from 1 to 10,000");
  if (keysTtlMs !== undefined && list === "safelist") refuse("keys", "a safelist feed has none");
  if (keysTtlMs !== undefined && !(keysTtlMs >= 3_600_000 && keysTtlMs <= longestMs))
    refuse("keys", "they last from an hour to 31 days, and are renewed");
  const header = source.kind === "url" ? source.header : undefined;
  if (header !== undefined && !/^[A-Za-z0-9-]{1,100}$/.test(header))
    refuse("header", "has letters, digits and -");
  if (header !== undefined && /^(host|content-length|connection|cookie)$/i.test(header))
    refuse("header", "cannot carry a key");
  if (apiKey !== undefined && (header === undefined || !/^[\x20-\x7e]{1,4000}$/.test(apiKey)))
    refuse(
      "key",
      header === undefined ? "needs the name of its header" : "has characters that no header takes",
    );
}

/** Members of a feed that a person changes later. */
export interface FeedChange {
  readonly mode?: FeedDefinition["mode"] | undefined;
  readonly isPaused?: boolean | undefined;
  readonly isWideConfirmed?: boolean | undefined;
  /** Where its URL has `…`, it is the URL that the feed has. */
  readonly source?: WrittenSource | undefined;
  /** An empty one removes it, with its key. */
  readonly header?: string | undefined;
  readonly apiKey?: string | undefined;
  /** An empty one removes it. */
  readonly column?: number | string | undefined;
  readonly everyMs?: number | undefined;
  readonly keepMs?: number | null | undefined;
  readonly holdPercent?: number | undefined;
  /** Null: no keys any more. */
  readonly keysTtlMs?: number | null | undefined;
}

/** The feed with its new terms. What of its secret is not given stays. */
export async function changedTerms(
  ctx: SecretContext,
  read: FeedDefinition,
  { source: written, header, apiKey, column, keysTtlMs, ...changed }: FeedChange,
): Promise<FeedDefinition> {
  const isSameUrl = written === undefined || (written.url === undefined && isSameSource(written, read));
  const source = withHeader(
    isSameUrl ? read.source : withHeader(written.source, headerOf(read.source)),
    header,
  );
  if (!isSameUrl) requireWhole(source, written);
  if (apiKey === undefined && headerOf(source) !== undefined) requireSameHost(source, read.source);
  const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
  const { secret: before, column: columnBefore, keysTtlMs: ttlBefore, ...rest } = read;
  const newTtl = keysTtlMs === undefined ? ttlBefore : (keysTtlMs ?? undefined);
  const newColumn = column === undefined ? columnBefore : column === "" ? undefined : column;
  const feed: FeedDefinition = {
    ...{ ...rest, ...given, id: read.id, source },
    ...(newColumn !== undefined && { column: newColumn }),
    ...(newTtl !== undefined && { keysTtlMs: newTtl }),
  };
  checkTerms({ ...feed, apiKey });
  const isSecretAsBefore = isSameUrl && header === undefined && apiKey === undefined;
  const urlBefore = hasHiddenParts(source) ? undefined : null;
  const secret = isSecretAsBefore
    ? before
    : await changedSecret(ctx, read, {
        url: isSameUrl ? urlBefore : (written.url ?? null),
        apiKey: headerOf(source) === undefined ? null : apiKey,
      });
  const named = { ...feed, ...(secret !== undefined && { secret }) };
  checkLength(named);
  return named;
}

/** An API key is for the host that it was given for. */
function requireSameHost(source: FeedSource, before: FeedSource): void {
  const hostOf = (one: FeedSource) => (one.kind === "url" ? new URL(one.url).host : undefined);
  if (headerOf(before) === undefined || hostOf(source) === hostOf(before)) return;
  const why = "type it again: the new source has another host";
  throw new DomainError("bad-input", `The API key cannot be kept: ${why}.`, { key: why });
}

/** @param changed null removes a part, undefined leaves it */
async function changedSecret(
  ctx: SecretContext,
  read: FeedDefinition,
  changed: { readonly [part in keyof FeedSecret]: string | null | undefined },
): Promise<string | undefined> {
  const isAllGiven = changed.apiKey !== undefined && changed.url !== undefined;
  const before = isAllGiven ? {} : await readSecret(ctx, read);
  const partOf = (part: keyof FeedSecret) =>
    changed[part] === undefined ? before[part] : (changed[part] ?? undefined);
  const after = { apiKey: partOf("apiKey"), url: partOf("url") };
  if (!isAllGiven && after.apiKey === before.apiKey && after.url === before.url) return read.secret;
  return storeSecret(ctx, read.id, after, unusedMs);
}

const headerOf = (source: FeedSource) => (source.kind === "url" ? source.header : undefined);

function isSameSource({ source }: WrittenSource, { source: before }: FeedDefinition): boolean {
  return saySource(source) === saySource(before);
}
