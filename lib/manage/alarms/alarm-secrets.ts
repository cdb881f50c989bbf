import { SecretBox } from "../outbound/secret-box.ts";

/** URLs and keys of destinations. @param secret NEXTAUTH_SECRET */
export function alarmSecrets(secret: string): SecretBox {
  return new SecretBox(secret, { key: "sluice alarms", names: "URLs of alarms" });
}
