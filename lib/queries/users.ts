import * as z from "zod/mini";
import { query } from "./query.ts";
import { role } from "./shapes.ts";

const signIn = z.object({ at: z.string(), by: z.enum(["password", "sso"]) });

const user = z.object({
  email: z.string(),
  role,
  by: z.enum(["password", "sso"]),
  /** ISO */
  since: z.string(),
  /** ISO; while a one-time link is unused. */
  linkUntil: z.optional(z.string()),
  /** The user has a password, or signs in with SSO. */
  canSignIn: z.boolean(),
  lastSignIn: z.nullable(signIn),
  sessions: z.number(),
});
export type UserRow = z.output<typeof user>;

/** All users and invitations. Readable by admins alone. */
export function users() {
  return query(["users"], "/api/users", z.object({ users: z.array(user) }));
}
