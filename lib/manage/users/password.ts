import { hash, verify } from "@node-rs/argon2";
import type { Passwords } from "./passwords.ts";
import { Turns } from "./turns.ts";

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. The 2 is argon2id: the package has it as a const enum. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Longer passwords are not hashed: no user has one. */
const longest = 1_000;

/**
 * Node has four threads for this, for files and for names of hosts: two stay free, and a check takes 20 ms. A check that
 * would wait for longer than a second is refused.
 */
const turns = new Turns(2, 100, "Too many people sign in at this moment. Try again in a minute.");

/** The hash that is checked for a user without a password. */
const unknownUsersHash = hash("the password of no user", parameters);

export const argon2id: Passwords = {
  hash: (password) => turns.take(() => hash(normal(password), parameters)),
  async isRight(stored, password) {
    const fallback = await unknownUsersHash;
    const isReal = stored !== undefined && password.length <= longest;
    const given = normal(password.slice(0, longest));
    const fits = await turns.take(() => verify(isReal ? stored : fallback, given).catch(() => false));
    return fits && isReal;
  },
};

/** Keyboards spell the same letter differently. */
const normal = (password: string): string => password.normalize("NFKC");
