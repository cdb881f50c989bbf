import { hash, verify } from "@node-rs/argon2";
import type { Passwords } from "./passwords.ts";

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. The 2 is argon2id: the package has it as a const enum. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Longer ones are nobody's, and would be work for nothing. */
const longest = 1_000;

/** What is checked for whoever has no password. */
const nobodys = hash("the password of nobody", parameters);

export const argon2id: Passwords = {
  hash: (password) => hash(normal(password), parameters),
  async isRight(stored, password) {
    const fallback = await nobodys;
    const isReal = stored !== undefined && password.length <= longest;
    const given = normal(password.slice(0, longest));
    const fits = await verify(isReal ? stored : fallback, given).catch(() => false);
    return fits && isReal;
  },
};

/** Keyboards spell the same letter differently. */
const normal = (password: string): string => password.normalize("NFKC");
