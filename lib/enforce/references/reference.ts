import {
  type Cipher,
  createCipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto";
import { type Block, formatIp, isWhole } from "../../ip/block.ts";
import type { Ip } from "../../ip/parse.ts";

/**
 * What a reference carries of a denial. Names are carried as digests: a reader compares them with the names that it knows.
 * The address is the client's; an entry or a feed's range is the address with a prefix length.
 */
export interface ReferenceFacts {
  readonly kind: (typeof kinds)[number];
  /** Whether the outcome is `blocked`; otherwise it is `throttled`. */
  readonly isBlocked: boolean;
  /** Seconds since 1970. */
  readonly at: number;
  /** Undefined for a limit in code that counts no address. */
  readonly client: Ip | undefined;
  readonly app: NameDigest;
  /** Name of the rule, or id of the feed. 0 for an entry and a suspension. */
  readonly decider: NameDigest;
  /** Prefix length of the entry, or of the feed's range. 0 for others. */
  readonly length: number;
  /** What else is known of the client: its customer, or what the rule counted. Undefined where it is the address alone. */
  readonly counted: { readonly is: "customer" | "value"; readonly digest: NameDigest } | undefined;
}

/** A denial to write: names in place of digests. */
export interface DenialToWrite extends Omit<ReferenceFacts, "client" | "app" | "decider" | "counted"> {
  readonly client: Block | undefined;
  readonly app: string;
  readonly decider: string;
  readonly counted: { readonly is: "customer" | "value"; readonly name: string } | undefined;
}

/** The first 24 bits of a name's SHA-256; of a counted client, 32. */
export type NameDigest = number;

/** At most eight: three bits. */
const kinds = ["entry", "feed", "suspension", "rule"] as const;

const flags = { isFamily6: 8, hasClient: 16, hasCounted: 32, isCustomer: 64, isBlocked: 128 } as const;

const [tagLength, blockLength] = [8, 16];
const prefix = "slr-";
const mostNames = 1_000;
const mostBytes = tagLength + 34;
/** Base 32 of Crockford, without I, L, O and U: what is copied by hand is read all the same. */
const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const digitCodes = Buffer.from(digits);

/** Key numbers begin again at 1 after this one: one digit names the key. */
export const mostKeyNumbers = digits.length - 1;

/** 24 bits: the names of an installation are few. */
export function nameDigest(name: string): NameDigest {
  return createHash("sha256").update(name).digest().readUIntBE(0, 3);
}

/** 32 bits: customers and values are many. */
export function clientDigest(name: string): NameDigest {
  return createHash("sha256").update(name).digest().readUInt32BE(0);
}

/** Whether a text means to be a reference. */
export function looksLikeReference(text: string): boolean {
  return /^slr-/i.test(text.trim());
}

/**
 * A key of the installation. Equal denials get references without equal parts, and a text with a changed character is
 * refused. The construction is a synthetic IV: a MAC of the plain text is the IV of its encryption (as RFC 5297, with HMAC-SHA256
 * and AES-128-CTR), so that a nonce takes no place and none can be repeated by mistake.
 */
export class ReferenceKey {
  readonly number: number;
  readonly #mac: KeyObject;
  /** One block of it at a time: an object for each text would take three times as long. */
  readonly #cipher: Cipher;
  readonly #names = new Map<string, NameDigest>();
  readonly #counter = Buffer.alloc(3 * blockLength);
  /** Used again for each reference that is written. */
  readonly #bytes = Buffer.alloc(mostBytes);
  #salt = Math.floor(Math.random() * 0x1_0000);

  /** @param secret 32 bytes or more */
  constructor(number: number, secret: Uint8Array) {
    this.number = number;
    const derived = (use: string, length: number) =>
      createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `sluice reference ${use}`, length)));
    this.#mac = derived("mac", 32);
    this.#cipher = createCipheriv("aes-128-ecb", derived("cipher", 16), null).setAutoPadding(false);
  }

  write(denial: DenialToWrite): string {
    const end = this.#pack(denial);
    const plain = this.#bytes.subarray(tagLength, end);
    this.#tagOf(plain).copy(this.#bytes);
    this.#crypt(this.#bytes, end);
    return prefix + digits[this.number] + toText(this.#bytes, end);
  }

  /** Undefined for what this key has not written. */
  read(text: string): ReferenceFacts | undefined {
    const bytes = toBytes(bodyOf(text)?.slice(1) ?? "");
    if (!bytes || bytes.length <= tagLength || bytes.length > mostBytes) return undefined;
    this.#crypt(bytes, bytes.length);
    const plain = bytes.subarray(tagLength);
    return timingSafeEqual(bytes.subarray(0, tagLength), this.#tagOf(plain)) ? unpack(plain) : undefined;
  }

  #tagOf(plain: Buffer): Buffer {
    return createHmac("sha256", this.#mac).update(plain).digest().subarray(0, tagLength);
  }

  /** Encrypts or decrypts what follows the tag. */
  #crypt(bytes: Buffer, end: number): void {
    const blocks = Math.ceil((end - tagLength) / blockLength);
    for (let i = 0; i < blocks; i++) {
      bytes.copy(this.#counter, i * blockLength, 0, tagLength);
      this.#counter[(i + 1) * blockLength - 1] = i;
    }
    const stream = this.#cipher.update(this.#counter.subarray(0, blocks * blockLength));
    for (let i = tagLength; i < end; i++) bytes[i] = (bytes[i] ?? 0) ^ (stream[i - tagLength] ?? 0);
  }

  /** Writes behind the place of the tag, and returns the end. */
  #pack({ kind, isBlocked, at, client, app, decider, length, counted }: DenialToWrite): number {
    const bytes = this.#bytes;
    bytes[tagLength] =
      kinds.indexOf(kind) |
      (client?.family === 6 ? flags.isFamily6 : 0) |
      (client ? flags.hasClient : 0) |
      (counted ? flags.hasCounted : 0) |
      (counted?.is === "customer" ? flags.isCustomer : 0) |
      (isBlocked ? flags.isBlocked : 0);
    let end = bytes.writeUInt32BE(at >>> 0, tagLength + 1);
    this.#salt = (this.#salt + 1) & 0xffff;
    end = bytes.writeUInt16BE(this.#salt, end);
    end = bytes.writeUIntBE(this.#digestOf(app), end, 3);
    end = bytes.writeUIntBE(this.#digestOf(decider), end, 3);
    end = bytes.writeUInt8(length, end);
    if (counted) end = bytes.writeUInt32BE(clientDigest(counted.name), end);
    if (!client) return end;
    end = bytes.writeInt32BE(client.a, end);
    if (client.family === 4) return end;
    end = bytes.writeInt32BE(client.b, end);
    end = bytes.writeInt32BE(client.c, end);
    return bytes.writeInt32BE(client.d, end);
  }

  /** Names of apps, rules and feeds: few, and those of a policy before are forgotten. */
  #digestOf(name: string): NameDigest {
    if (name === "") return 0;
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (this.#names.size >= mostNames) this.#names.clear();
    const digest = nameDigest(name);
    this.#names.set(name, digest);
    return digest;
  }
}

/** Number of the key that wrote a reference, or should have. Undefined for a text that cannot be one. */
export function keyNumberOf(text: string): number | undefined {
  const body = bodyOf(text);
  const number = body === undefined ? -1 : digits.indexOf(body.charAt(0));
  return number > 0 ? number : undefined;
}

function unpack(bytes: Buffer): ReferenceFacts | undefined {
  const first = bytes[0] ?? 0;
  const has = (flag: number) => (first & flag) !== 0;
  const kind = kinds[first & 7];
  const words = has(flags.hasClient) ? (has(flags.isFamily6) ? 4 : 1) : 0;
  const countedAt = 14;
  const clientAt = countedAt + (has(flags.hasCounted) ? 4 : 0);
  if (!kind || bytes.length !== clientAt + 4 * words) return undefined;
  const word = (i: number) => (i < words ? bytes.readInt32BE(clientAt + 4 * i) : 0);
  const family = has(flags.isFamily6) ? 6 : 4;
  const block: Block = {
    ...{ family, a: word(0), b: word(1), c: word(2), d: word(3) },
    length: family === 6 ? 128 : 32,
  };
  return {
    ...{ kind, isBlocked: has(flags.isBlocked), at: bytes.readUInt32BE(1) },
    client: words > 0 && isWhole(block) ? formatIp(block) : undefined,
    ...{ app: bytes.readUIntBE(7, 3), decider: bytes.readUIntBE(10, 3), length: bytes.readUInt8(13) },
    counted: has(flags.hasCounted)
      ? { is: has(flags.isCustomer) ? "customer" : "value", digest: bytes.readUInt32BE(countedAt) }
      : undefined,
  };
}

/** The key's digit and what follows. Spaces and dashes are ignored, and letters that are no digits are read as the digits they resemble. */
function bodyOf(text: string): string | undefined {
  if (text.length > 200 || !looksLikeReference(text)) return undefined;
  return text
    .trim()
    .slice(prefix.length)
    .toLowerCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
}

function toText(bytes: Buffer, end: number): string {
  const codes = Buffer.allocUnsafe(Math.ceil((8 * end) / 5));
  let [length, bits, count] = [0, 0, 0];
  for (let i = 0; i < end; i++) {
    bits = ((bits & 0x1f) << 8) | (bytes[i] ?? 0);
    for (count += 8; count >= 5; count -= 5) codes[length++] = digitCodes[(bits >>> (count - 5)) & 31] ?? 0;
  }
  if (count > 0) codes[length++] = digitCodes[(bits << (5 - count)) & 31] ?? 0;
  return codes.toString("latin1", 0, length);
}

/** Undefined unless it is exactly what `toText` writes. */
function toBytes(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const character of text) {
    const digit = digits.indexOf(character);
    if (digit < 0) return undefined;
    bits = ((bits & 0xff) << 5) | digit;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >>> count) & 0xff);
  }
  // Bits that belong to no byte are zero, or one text would have several spellings.
  return count < 5 && (bits & ((1 << count) - 1)) === 0 ? Buffer.from(bytes) : undefined;
}
