import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { sep } from "node:path";
import { DomainError } from "../../errors.ts";
import { failureOf, openRequest } from "../outbound/public-request.ts";
import type { FeedSource } from "./feed-source.ts";

/** What was answered: contents, or that they are as before. */
export type FetchedSource =
  | { readonly is: "unchanged" }
  | {
      readonly is: "new";
      readonly pieces: AsyncIterable<string>;
      readonly etag: string | null;
      readonly lastModified: string | null;
    };

export interface FetchTerms {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Value of the source's header. */
  readonly apiKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FetchSettings {
  /** Folder of the files that feeds may read. */
  readonly folder: string;
  /** For tests: hosts that may be this machine, or in a private network. */
  readonly privateHosts?: readonly string[];
  /** For tests: a certificate authority. */
  readonly ca?: string;
  readonly withinMs?: number;
  readonly mostBytes?: number;
}

/** Folder of files, unless SLUICE_FEED_FILES names another. */
export const defaultFolder = "/etc/sluice";

const mostRedirects = 3;
const defaultWithinMs = 60_000;
const defaultMostBytes = 64 * 1024 * 1024;

/** Opens the text of a feed. Throws a DomainError with the cause. */
export async function fetchSource(
  source: Extract<FeedSource, { kind: "url" | "file" }>,
  terms: FetchTerms,
  settings: FetchSettings,
): Promise<FetchedSource> {
  if (source.kind === "file") return readFile(source.path, terms, settings);
  const limit = AbortSignal.timeout(settings.withinMs ?? defaultWithinMs);
  const signal = terms.signal ? AbortSignal.any([limit, terms.signal]) : limit;
  const first = new URL(source.url);
  let url = first;
  for (let redirects = 0; ; redirects++) {
    // The key is for the host that it was given for.
    const headers = headersOf(source, terms, url.origin === first.origin);
    const allowsPrivate = settings.privateHosts?.includes(url.hostname) ?? false;
    const how = { allowsPrivate, ca: settings.ca };
    const response = await openRequest(url, { headers, signal }, how).catch((error: unknown) => {
      throw causeOf(error, url, signal);
    });
    const { statusCode: status = 0, headers: sent } = response;
    if (status === 304) return discarded(response, { is: "unchanged" });
    if (status === 200) {
      const { etag = null, "last-modified": lastModified = null } = sent;
      return { is: "new", pieces: bodyOf(response, url, signal, settings), etag, lastModified };
    }
    response.destroy();
    if (![301, 302, 303, 307, 308].includes(status)) throw failed(`HTTP ${status} from ${url.host}`);
    if (redirects === mostRedirects) throw failed(`${first.host} redirects more than ${mostRedirects} times`);
    url = redirectOf(url, sent.location);
  }
}

function discarded<T>(response: IncomingMessage, answer: T): T {
  response.destroy();
  return answer;
}

function headersOf(
  { header }: { readonly header?: string | undefined },
  { etag, lastModified, apiKey }: FetchTerms,
  isOwnHost: boolean,
): Record<string, string> {
  return {
    "user-agent": "sluice",
    accept: "text/plain, application/json, text/csv, */*;q=0.5",
    // A compressed body could be a thousand times as long.
    "accept-encoding": "identity",
    ...(etag !== null && { "if-none-match": etag }),
    ...(lastModified !== null && { "if-modified-since": lastModified }),
    ...(header !== undefined && apiKey !== undefined && isOwnHost && { [header]: apiKey }),
  };
}

function redirectOf(from: URL, location: string | undefined): URL {
  const to = location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (to?.protocol !== "https:") throw failed(`${from.host} redirects to an address without https`);
  return to;
}

async function* bodyOf(
  response: IncomingMessage,
  url: URL,
  signal: AbortSignal,
  { mostBytes = defaultMostBytes }: FetchSettings,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const most = `${Math.floor(mostBytes / 1024 / 1024)} MB`;
  const { "content-encoding": encoding = "identity", "content-length": length } = response.headers;
  try {
    if (encoding !== "identity") throw failed(`${url.host} sends compressed contents (${encoding})`);
    if (Number(length) > mostBytes) throw failed(`${url.host} sends more than ${most}`);
    let bytes = 0;
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > mostBytes) throw failed(`${url.host} sends more than ${most}`);
      yield decoder.decode(piece, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw causeOf(error, url, signal);
  } finally {
    response.destroy();
  }
}

function causeOf(error: unknown, url: URL, signal: AbortSignal): Error {
  return error instanceof DomainError ? error : failed(failureOf(error, url, signal).message);
}

function failed(cause: string): DomainError {
  return new DomainError("bad-input", `The feed cannot be read: ${cause}.`, { source: cause });
}

async function readFile(
  path: string,
  { lastModified }: FetchTerms,
  { folder, mostBytes = defaultMostBytes }: FetchSettings,
): Promise<FetchedSource> {
  try {
    const [real, inside] = await Promise.all([realpath(path), realpath(folder)]);
    if (!real.startsWith(inside.endsWith(sep) ? inside : inside + sep))
      throw failed(`${path} is not in ${folder}. SLUICE_FEED_FILES names another folder`);
    const found = await stat(real);
    if (!found.isFile()) throw failed(`${path} is no file`);
    const { mtimeMs, size, ino } = found;
    if (size > mostBytes) throw failed(`${path} is too large`);
    const stamp = `${mtimeMs} ${size} ${ino}`;
    if (stamp === lastModified) return { is: "unchanged" };
    return { is: "new", pieces: piecesOf(real, path), etag: null, lastModified: stamp };
  } catch (error) {
    throw fileCauseOf(error, path);
  }
}

/** A file is opened when its first piece is asked for: only then it may turn out that it cannot be read. */
async function* piecesOf(real: string, path: string): AsyncGenerator<string> {
  try {
    yield* createReadStream(real, { encoding: "utf8" }) as AsyncIterable<string>;
  } catch (error) {
    throw fileCauseOf(error, path);
  }
}

function fileCauseOf(error: unknown, path: string): Error {
  if (error instanceof DomainError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const causes: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file",
    EACCES: "the console may not read it",
  };
  return failed(`${path}: ${causes[code] ?? code}`);
}
