import type { Signed } from "../audit/record.ts";
import { acceptLink } from "./accept-link.ts";
import { inviteUser } from "./invite.ts";
import { argon2id } from "./password.ts";
import type { Role } from "./roles.ts";
import { readUser, type User } from "./user.ts";

export const goodPassword = "correct horse battery";

interface Reads {
  hget(key: string, field: string): Promise<string | null>;
}

export async function storedUser(client: Reads, email: string): Promise<User | undefined> {
  return readUser(await client.hget("sluice:users", email));
}

/** A user who has chosen a password. */
export async function settle(ctx: Signed, email: string, role: Role, password = goodPassword): Promise<void> {
  const { word } = await inviteUser(ctx, { email, role });
  await acceptLink(ctx, { word, password }, argon2id);
}
