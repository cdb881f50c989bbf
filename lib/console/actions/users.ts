"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { z } from "zod";
import { environment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import { acceptLink } from "../../manage/users/accept-link.ts";
import { changeOwnPassword } from "../../manage/users/change-password.ts";
import { inviteUser } from "../../manage/users/invite.ts";
import { linkPath, type NewLink } from "../../manage/users/link.ts";
import { argon2id } from "../../manage/users/password.ts";
import { passwordSet } from "../../manage/users/passwords.ts";
import { removeUser } from "../../manage/users/remove.ts";
import { resetUser } from "../../manage/users/reset.ts";
import { roles } from "../../manage/users/roles.ts";
import { setRole } from "../../manage/users/set-role.ts";
import { action, type Result, requireOwnOrigin } from "../action.ts";
import { theConsole } from "../console.ts";
import { failureOf } from "../failure.ts";
import { theDoor } from "../session/door.ts";
import { requestAddress } from "../session/session.ts";

const email = z.string().max(300);
const role = z.enum(roles);
const password = z.string().max(1_000);

/** Makes a user, and the link by which they choose a password. */
export const invite = action({
  name: "user.invite",
  needs: "users",
  input: z.object({ email, role }),
  run: async (ctx, given) => handedOut(await inviteUser(ctx, given)),
});

export const changeRole = action({
  name: "user.role",
  needs: "users",
  input: z.object({ email, role }),
  run: (ctx, given) => setRole(ctx, given),
});

/** Takes a password away, and makes the link by which another is chosen. */
export const reset = action({
  name: "user.reset",
  needs: "users",
  input: z.object({ email }),
  run: async (ctx, given) => handedOut(await resetUser(ctx, given)),
});

export const remove = action({
  name: "user.remove",
  needs: "users",
  input: z.object({ email }),
  run: (ctx, given) => removeUser(ctx, given),
});

/** Everybody's own. */
export const changePassword = action({
  name: "user.password",
  needs: "read",
  input: z.object({ current: password, password }),
  run: (ctx, given) => changeOwnPassword(ctx, theDoor(), { ...given, sessionId: ctx.who.sessionId }),
});

/** Under the console's public name; without one, a path that the browser completes. */
function handedOut({ email, word, until }: NewLink) {
  const { publicUrl } = environment();
  const path = linkPath(word);
  return { email, until, url: publicUrl === undefined ? path : new URL(path, publicUrl).href };
}

/** Uses a one-time link up. It needs no session: the link is the permission. */
export async function choosePassword(form: FormData): Promise<Result<{ email: string }>> {
  try {
    requireOwnOrigin(await headers());
    const [word, password] = [textOf(form, "word"), textOf(form, "password")];
    if (password !== textOf(form, "again")) throw notTheSame();
    const { redis, seal } = theConsole();
    const address = await requestAddress();
    const actor = { via: "console", ...(address && { address }) };
    return { ok: true, value: await acceptLink({ redis, seal, actor }, { word, password }, argon2id) };
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
}

/** The same for a browser without JavaScript, which is led on. */
export async function choosePasswordAndLeave(_: unknown, form: FormData): Promise<Result<{ email: string }>> {
  const chosen = await choosePassword(form);
  if (chosen.ok) redirect(`/signin?error=${passwordSet}`);
  return chosen;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

function notTheSame(): DomainError {
  const problem = "The passwords differ";
  return new DomainError("bad-input", `${problem}.`, { again: problem });
}
