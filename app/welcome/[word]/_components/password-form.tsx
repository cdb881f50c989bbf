"use client";

import { type FormEvent, useActionState, useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { Field } from "../../../../components/ui/field.tsx";
import { Input } from "../../../../components/ui/input.tsx";
import { shortestPassword } from "../../../../lib/auth/passwords.ts";
import { choosePassword, choosePasswordAndLeave } from "../../../_actions/welcome.ts";
import type { Failure } from "../../../_server/failure.ts";
import { Trouble } from "../../../signin/_components/trouble.tsx";
import { passwordSet } from "../../../signin/sign-in-words.ts";

const noAnswer: Failure = {
  code: "failed",
  message: "The console does not answer. What you typed is still here; try again.",
  fields: {},
};

/** Works without JavaScript as a plain form, and with it keeps what was typed whatever comes back. */
export function PasswordForm({ word, email }: { word: string; email: string }) {
  const [answer, leave] = useActionState(choosePasswordAndLeave, undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const told = failure ?? (answer?.ok === false ? answer.error : undefined);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    const chosen = await choosePassword(new FormData(event.currentTarget)).catch(() => undefined);
    if (chosen?.ok) return location.assign(`/signin?error=${passwordSet}`);
    setFailure(chosen?.error ?? noAnswer);
    setIsBusy(false);
  };
  return (
    <form action={leave} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <input type="hidden" name="word" value={word} />
      {/* For whatever remembers passwords. */}
      <input type="email" name="email" value={email} readOnly autoComplete="username" hidden />
      <Field label="Password" hint={`at least ${shortestPassword} characters`} error={told?.fields.password}>
        <NewPassword name="password" />
      </Field>
      <Field label="Again" error={told?.fields.again}>
        <NewPassword name="again" />
      </Field>
      {told && Object.keys(told.fields).length === 0 && <Trouble says={told.message} />}
      <Button type="submit" size="lg" variant="primary" isBusy={isBusy}>
        Set password
      </Button>
    </form>
  );
}

function NewPassword({ name }: { name: string }) {
  return <Input name={name} type="password" required maxLength={200} autoComplete="new-password" />;
}
