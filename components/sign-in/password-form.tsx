"use client";

import { type FormEvent, useActionState } from "react";
import { leave } from "@/components/console/leave.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { choosePassword, choosePasswordAndLeave } from "@/lib/console/actions/users.ts";
import { passwordSet, shortestPassword } from "@/lib/manage/users/passwords.ts";
import { Trouble } from "./trouble.tsx";

/** Works without JavaScript as a plain form, and with it keeps what was typed whatever comes back. */
export function PasswordForm({ word, email }: { word: string; email: string }) {
  const [answer, post] = useActionState(choosePasswordAndLeave, undefined);
  const { run, isBusy, failure } = useMutate();
  const told = failure ?? (answer?.ok === false ? answer.error : undefined);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    await run(async () => {
      const chosen = await choosePassword(form);
      return chosen.ok ? leave(`/signin?error=${passwordSet}`) : chosen;
    });
  };
  return (
    <form action={post} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
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
