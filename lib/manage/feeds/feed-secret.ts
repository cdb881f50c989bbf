import { SecretBox } from "../outbound/secret-box.ts";

/** API keys of feeds. */
export class FeedSecrets extends SecretBox {
  /** @param secret NEXTAUTH_SECRET */
  constructor(secret: string) {
    super(secret, { key: "sluice feeds", names: "API keys of feeds" });
  }
}
