"use server";

import { headers } from "next/headers";
import { acceptLink } from "../../lib/auth/accept-link.ts";
import { argon2id } from "../../lib/auth/password.ts";
import { DomainError } from "../../lib/errors.ts";
import { type Result, requireOwnOrigin } from "../_server/action.ts";
import { theConsole } from "../_server/console.ts";
import { failureOf } from "../_server/failure.ts";
import { requestAddress } from "../_server/session.ts";
import { leadTo } from "../signin/lead-to.ts";
import { passwordSet } from "../signin/sign-in-words.ts";

/** Uses a one-time link up. It needs no session: whoever holds the link may. */
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
  if (chosen.ok) leadTo(`/signin?error=${passwordSet}`);
  return chosen;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

function notTheSame(): DomainError {
  const problem = "The two are not the same";
  return new DomainError("bad-input", `${problem}.`, { again: problem });
}
