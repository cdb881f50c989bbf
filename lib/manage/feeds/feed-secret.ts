import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { DomainError } from "../../errors.ts";

const cipher = "aes-256-gcm";
const [ivLength, tagLength] = [12, 16];

/** API keys of feeds in Redis: encrypted with a key that Redis never sees, and never shown again. */
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
        "The feed's API key was encrypted with another NEXTAUTH_SECRET. Set the key again.",
      );
    }
  }
}
