import { z } from "zod";
import { query } from "./query.ts";

const signIn = z.object({ at: z.string(), by: z.enum(["password", "sso"]) });

const user = z.object({
  email: z.string(),
  role: z.enum(["viewer", "staff", "support", "admin"]),
  by: z.enum(["password", "sso"]),
  /** ISO */
  since: z.string(),
  /** ISO; while a one-time link waits to be used. */
  linkUntil: z.string().optional(),
  /** There is a password, or single sign-on. */
  canSignIn: z.boolean(),
  lastSignIn: signIn.nullable(),
  sessions: z.number(),
});
export type UserRow = z.output<typeof user>;

/** Everybody who may sign in, or is invited to. Admins alone may read it. */
export function users() {
  return query(["users"], "/api/users", z.object({ users: z.array(user) }));
}
