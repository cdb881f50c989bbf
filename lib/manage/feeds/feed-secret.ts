import { randomBytes } from "node:crypto";
import { z } from "zod";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { SecretBox } from "../outbound/secret-box.ts";
import { type FeedDefinition, jsonOf } from "./definition.ts";

/** API keys and URLs of feeds. */
export class FeedSecrets extends SecretBox {
  /** @param secret NEXTAUTH_SECRET */
  constructor(secret: string) {
    super(secret, { key: "sluice feeds", names: "API keys of feeds" });
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
