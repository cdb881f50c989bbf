"use client";

import { type FormEvent, useState } from "react";
import { Button } from "../../../../../components/ui/button.tsx";
import { Card } from "../../../../../components/ui/card.tsx";
import { Field } from "../../../../../components/ui/field.tsx";
import { Input } from "../../../../../components/ui/input.tsx";
import { useToast } from "../../../../../components/ui/toast.tsx";
import { passwordProblem, shortestPassword } from "../../../../../lib/auth/passwords.ts";
import { changePassword } from "../../../../_actions/users.ts";
import { useAction } from "../../_components/use-action.ts";
import { useSettled } from "../../_components/use-settled.ts";
import { Refusal } from "../../users/_components/refusal.tsx";

export function PasswordCard({ email }: { email: string }) {
  const [typed, setTyped] = useState({ current: "", password: "", again: "" });
  const { run, isBusy, failure } = useAction(changePassword);
  const toast = useToast();
  const { current, password, again } = typed;
  const problem = password === "" ? undefined : passwordProblem(password, email);
  const isAnother = again !== "" && again !== password;
  const isReady = current !== "" && password !== "" && again === password && !problem;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || !(await run({ current, password }))) return;
    setTyped({ current: "", password: "", again: "" });
    toast({ tone: "pass", title: "Your password is changed", detail: "Your other sessions have ended." });
  };
  const input = (name: keyof typeof typed, autoComplete: string) => (
    <Input
      type="password"
      autoComplete={autoComplete}
      maxLength={1_000}
      value={typed[name]}
      onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
    />
  );
  // What is being typed is wrong until it is whole.
  const wrong = useSettled(problem);
  const other = useSettled(isAnother ? "This is not the same" : undefined);
  return (
    <Card title="Change your password" hint="your other sessions end; this one goes on">
      <form onSubmit={(event) => void submit(event)} className="flex max-w-100 flex-col gap-4">
        {/* For whatever remembers passwords. */}
        <input type="email" value={email} readOnly autoComplete="username" hidden />
        <Field label="Password now" error={failure?.fields.current}>
          {input("current", "current-password")}
        </Field>
        <Field
          label="New password"
          hint={`at least ${shortestPassword} characters`}
          error={wrong ?? failure?.fields.password}
        >
          {input("password", "new-password")}
        </Field>
        <Field label="New password again" error={other}>
          {input("again", "new-password")}
        </Field>
        <Refusal failure={failure} />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="self-start"
          isBusy={isBusy}
          disabled={!isReady}
        >
          Change password
        </Button>
      </form>
    </Card>
  );
}
