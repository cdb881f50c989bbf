import { createHash, createHmac } from "node:crypto";
import type { Connection } from "../../redis/connect.ts";
import { counterClient, keys } from "../../redis/keys.ts";
import { type Client, countsAddresses, countsIds, networkOf } from "./client.ts";
import { cookieOf, headerOf, type RuledRequest, type Subject } from "./request.ts";
import type { Rule } from "./schema.ts";

const longest = 128;

/**
 * A client fit for a key: short, and free of control characters. Any other is named by its digest, so that different
 * clients stay different.
 */
export function keyText(text: string): string {
  return text.length > longest || isOdd(text) ? createHash("sha1").update(text).digest("hex") : text;
}

function isOdd(text: string): boolean {
  let isWide = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || (code >= 127 && code < 160)) return true;
    if (code > 127) isWide = true;
  }
  return isWide && Buffer.byteLength(text) > longest;
}

/** Several texts as one, so that no two different lists look the same. */
export function joined(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll("%", "%25").replaceAll("|", "%7C")).join("|");
}

/** A value as it is counted and shown: one that tells clients apart and cannot be turned back. */
export type Digest = (value: string) => string;

/** 128 bits: different values stay different. */
const hexDigits = 32;

/**
 * Credentials travel in headers and cookies, and names of counters are read by many. The digest is keyed, because short
 * tokens could be guessed from a plain one. Counters do not tell letters by their case, so it does not either.
 */
export function digestBy(key: string): Digest {
  return (value) => {
    const hmac = createHmac("sha256", key).update(counterClient(value)).digest("hex");
    return `hmac-${hmac.slice(0, hexDigits)}`;
  };
}

/**
 * What all nodes of a fleet digest with. Undefined in a fleet whose policy was saved when it still had nodes that cannot:
 * all count values as they are, so that a client has one counter.
 */
export async function readDigest(redis: Connection): Promise<Digest | undefined> {
  const key = await readDigestKey(redis);
  return key === undefined ? undefined : digestBy(key);
}

/** The key of that digest. */
export async function readDigestKey(redis: Connection): Promise<string | undefined> {
  const key = await redis.get(keys.digestKey()).catch((error: Error) => {
    if (error.message.startsWith("WRONGTYPE")) return null;
    throw error;
  });
  return key === null || key === "" ? undefined : key;
}

/** Who a request is counted as, in code: `createGuard({ clients: { name: fn } })`. Nothing: it is not counted. */
export type ClientFunction = (request: RuledRequest) => string | undefined;
export type ClientFunctions = Readonly<Record<string, ClientFunction>>;

/** Tells who a subject is counted as; nothing when the request does not say. */
export type Identify = (subject: Subject) => string | undefined;

/** What an app and its fleet know that a rule may need. */
export interface Identifying {
  readonly functions: ClientFunctions;
  /** Undefined: values of headers and cookies are counted as they are. */
  readonly digest: Digest | undefined;
}

/** How a rule tells its clients apart, ready for a key. Undefined when it needs a function that the app does not have. */
export function identifier(rule: Rule, given: Identifying): Identify | undefined {
  const identify = finder(rule.client, addressOf(rule), given);
  // An address is short, plain and canonical as it is.
  if (!identify || countsAddresses(rule.client)) return identify;
  return (subject) => {
    const text = identify(subject);
    // Blank is as good as nothing: counters are found without the space around a client.
    return text === undefined || text.trim() === "" ? undefined : keyText(text);
  };
}

function addressOf(rule: Rule): Identify {
  const network = networkOf(rule);
  return countsIds(rule) ? (subject) => subject.anonymous(network) : (subject) => subject.network(network);
}

function finder(client: Client, address: Identify, given: Identifying): Identify | undefined {
  if (typeof client === "string") return plain(client, address);
  const { ip, header, cookie, code, all, show } = client;
  if (ip) return address;
  const digest = show ? undefined : given.digest;
  if (header !== undefined) return hidden(header, digest, ({ request }) => headerOf(request, header));
  if (cookie !== undefined) return hidden(cookie, digest, ({ request }) => cookieOf(request, cookie));
  if (code !== undefined) return inCode(code, given.functions);
  const parts = all?.map((part) => finder(part, address, given));
  return parts?.every((part) => part !== undefined) ? together(parts) : undefined;
}

/** "x-api-key:hmac-3f2a…": says what it is the digest of. */
function hidden(name: string, digest: Digest | undefined, identify: Identify): Identify {
  if (!digest) return identify;
  const prefix = `${name.toLowerCase()}:`;
  return (subject) => {
    const value = identify(subject)?.trim();
    return value === undefined || value === "" ? undefined : prefix + digest(value);
  };
}

function plain(client: Extract<Client, string>, address: Identify): Identify {
  switch (client) {
    case "ip":
      return address;
    case "user":
      return (subject) => subject.user || undefined;
    case "customer":
      return (subject) => subject.customer;
    case "path":
      return (subject) => subject.countedPath;
    case "standard":
      return (subject) => subject.standard;
    case "broad":
      return (subject) => subject.broad;
  }
}

function together(parts: readonly Identify[]): Identify {
  return (subject) => {
    const texts: string[] = [];
    for (const part of parts) {
      const text = part(subject);
      if (text === undefined || text === "") return undefined;
      texts.push(text);
    }
    return joined(texts);
  };
}

function inCode(name: string, functions: ClientFunctions): Identify | undefined {
  const identify = Object.hasOwn(functions, name) ? functions[name] : undefined;
  return (
    identify &&
    (({ request }) => {
      try {
        const text: unknown = identify(request);
        // An unhandled rejection would end the process.
        if (text instanceof Promise) text.catch(() => {});
        return typeof text === "string" ? text : undefined;
      } catch {
        // The app's own code must not get a request denied; the request is not counted then.
        return undefined;
      }
    })
  );
}
