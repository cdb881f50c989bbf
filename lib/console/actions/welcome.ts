"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { DomainError } from "../../errors.ts";
import { acceptLink } from "../../manage/users/accept-link.ts";
import { argon2id } from "../../manage/users/password.ts";
import { passwordSet } from "../../manage/users/passwords.ts";
import { type Result, requireOwnOrigin } from "../action.ts";
import { theConsole } from "../console.ts";
import { failureOf } from "../failure.ts";
import { requestAddress } from "../session/session.ts";

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
