import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { z } from "zod";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { type FeedDefinition, jsonOf } from "./definition.ts";

const cipher = "aes-256-gcm";
const [ivLength, tagLength] = [12, 16];

/** API keys and URLs of feeds in Redis: encrypted with a key that Redis never sees, and never shown again. */
export class FeedSecrets {
  readonly #key: Buffer;

  /** @param secret NEXTAUTH_SECRET */
  constructor(secret: string) {
    if (secret === "")
      throw new DomainError(
        "not-configured",
        "NEXTAUTH_SECRET is missing: API keys of feeds are encrypted with it.",
      );
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", "sluice feeds", 32));
  }

  /** @param id of the feed: what is copied to another one cannot be read there */
  encrypt(id: string, text: string): string {
    const iv = randomBytes(ivLength);
    const sealing = createCipheriv(cipher, this.#key, iv).setAAD(Buffer.from(id));
    const sealed = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
    return Buffer.concat([iv, sealing.getAuthTag(), sealed]).toString("base64");
  }

  decrypt(id: string, text: string): string {
    const bytes = Buffer.from(text, "base64");
    try {
      const opening = createDecipheriv(cipher, this.#key, bytes.subarray(0, ivLength)).setAAD(
        Buffer.from(id),
      );
      opening.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
      return Buffer.concat([
        opening.update(bytes.subarray(ivLength + tagLength)),
        opening.final(),
      ]).toString();
    } catch {
      throw new DomainError(
        "not-configured",
        "The feed's API key was encrypted with another NEXTAUTH_SECRET. Type the key and the URL again.",
      );
    }
  }
}

const schema = z.object({ apiKey: z.string().optional(), url: z.string().optional() });
/** What Redis has of a feed encrypted alone. */
export type FeedSecret = z.output<typeof schema>;

export interface SecretContext {
  readonly redis: Connection;
  readonly secrets: FeedSecrets;
  readonly isDryRun?: boolean;
}

/** Writes a secret that nothing names yet. Returns its name, or undefined for none. */
export async function storeSecret(
  { redis, secrets, isDryRun = false }: SecretContext,
  id: string,
  secret: FeedSecret,
  livesMs: number,
): Promise<string | undefined> {
  if (secret.apiKey === undefined && secret.url === undefined) return undefined;
  const name = randomBytes(8).toString("hex");
  if (isDryRun) return name;
  await redis.set(keys.feedSecret(id, name), secrets.encrypt(id, JSON.stringify(secret)), "PX", livesMs);
  return name;
}

export async function readSecret(
  { redis, secrets }: SecretContext,
  { id, secret }: Pick<FeedDefinition, "id" | "secret">,
): Promise<FeedSecret> {
  if (secret === undefined) return {};
  const stored = await redis.get(keys.feedSecret(id, secret));
  if (stored !== null) return schema.parse(jsonOf(secrets.decrypt(id, stored)));
  throw new DomainError(
    "not-configured",
    "The feed's API key, or the secret of its URL, is no longer kept. Type it again.",
  );
}
