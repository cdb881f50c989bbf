import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { DomainError } from "../../errors.ts";

const cipher = "aes-256-gcm";
const [ivLength, tagLength] = [12, 16];

/** What the secrets are for: other texts get another key. */
interface SecretPurpose {
  readonly key: string;
  /** Plural, for errors: "API keys of feeds". */
  readonly names: string;
}

/** Secrets of other systems in Redis: encrypted with a key that Redis never sees, and never shown again. */
export class SecretBox {
  readonly #key: Buffer;
  readonly #names: string;

  /** @param secret NEXTAUTH_SECRET */
  constructor(secret: string, { key, names }: SecretPurpose) {
    if (secret === "")
      throw new DomainError("not-configured", `NEXTAUTH_SECRET is missing: ${names} are encrypted with it.`);
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", key, 32));
    this.#names = names;
  }

  /** @param id of its owner: what is copied to another one cannot be read there */
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
        `The secret of ${id} was encrypted with another NEXTAUTH_SECRET. Set it again (${this.#names}).`,
      );
    }
  }
}
