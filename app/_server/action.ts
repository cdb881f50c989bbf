import { headers } from "next/headers";
import type { z } from "zod";
import { tallyRefusal } from "../../lib/audit/refusal.ts";
import type { Permission } from "../../lib/auth/roles.ts";
import { DomainError } from "../../lib/errors.ts";
import type { Context } from "../../lib/lists/context.ts";
import { type Console, theConsole } from "./console.ts";
import { type Failure, failureOf } from "./failure.ts";
import { requireRole } from "./read.ts";
import { findSignedIn, type SignedIn } from "./session.ts";

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Failure };

/** What every verb takes, and who asks. */
export interface ActionContext extends Context {
  readonly console: Console;
  readonly who: SignedIn;
}

interface Definition<S extends z.ZodType, T> {
  /** As the audit log names it when it is refused. */
  readonly name: string;
  /** One for all, or what this input needs. */
  readonly needs: Permission | ((input: z.output<S>) => Permission);
  readonly input: S;
  /** False for what pages ask by themselves: like polling, it keeps nobody signed in. */
  readonly isActivity?: false;
  readonly run: (ctx: ActionContext, input: z.output<S>) => Promise<T>;
}

/**
 * The console's only way to write: origin → session → role → schema → verb. Errors become words here and nowhere else.
 *
 * @example
 * export const block = action({ name: "blocklist.add", needs: "lists", input, run: (ctx, given) => addEntries(ctx, …) });
 */
export function action<S extends z.ZodType, T>(
  definition: Definition<S, T>,
): (input: z.input<S>) => Promise<Result<T>> {
  return async (input) => {
    try {
      requireOwnOrigin(await headers());
      const who = await findSignedIn({ isActivity: definition.isActivity ?? true });
      if (!who) return { ok: false, error: { code: "signed-out", message: "Sign in again.", fields: {} } };
      return { ok: true, value: await perform(definition, who, input) };
    } catch (error) {
      return { ok: false, error: failureOf(error) };
    }
  };
}

async function perform<S extends z.ZodType, T>(
  { name, needs, input: schema, run }: Definition<S, T>,
  who: SignedIn,
  input: unknown,
): Promise<T> {
  const theirs = contextOf(who);
  // Whoever may never do it is told so before anything is said about the input.
  if (typeof needs === "string") await requireRecorded(theirs, name, needs);
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw misfit(parsed.error);
  if (typeof needs === "function") await requireRecorded(theirs, name, needs(parsed.data));
  return run(theirs, parsed.data);
}

function contextOf(who: SignedIn): ActionContext {
  const opened = theConsole();
  const { redis, seal, protectedRanges } = opened;
  const actor = { name: who.email, via: "console", ...(who.address && { address: who.address }) };
  return { console: opened, who, redis, seal, protectedRanges, actor };
}

async function requireRecorded(ctx: ActionContext, name: string, permission: Permission): Promise<void> {
  try {
    requireRole(ctx.who, permission);
  } catch (error) {
    await tallyRefusal(ctx, { action: name, reason: `role ${ctx.who.role} may not do this` });
    throw error;
  }
}

/** Next refuses a foreign origin itself, but lets pass who sends none: no browser does that. */
export function requireOwnOrigin(sent: Headers): void {
  const origin = sent.get("origin");
  const host = sent.get("x-forwarded-host") ?? sent.get("host");
  if (origin !== null && URL.canParse(origin) && new URL(origin).host === host) return;
  throw new DomainError("not-allowed", "This was not sent from a page of the console.");
}

function misfit(error: z.ZodError): DomainError {
  const fields = Object.fromEntries(error.issues.map(({ path, message }) => [path.join("."), message]));
  const [first] = error.issues;
  return new DomainError(
    "bad-input",
    first ? `${first.path.join(".")}: ${first.message}.` : "Bad input.",
    fields,
  );
}
