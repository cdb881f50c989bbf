"use client";

import { Keyboard } from "lucide-react";
import { type FormEvent, useState } from "react";
import { SingleKeysSwitch } from "@/components/console/single-keys-switch.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useSettled } from "@/components/console/use-settled.ts";
import { useShortcutsDialog } from "@/components/shell/shortcuts/shortcuts.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { changePassword } from "@/lib/console/actions/users.ts";
import { passwordProblem, shortestPassword } from "@/lib/manage/users/passwords.ts";
import { Refusal } from "./users/refusal.tsx";

const pauseMs = 400;

export function PasswordCard({ email }: { email: string }) {
  const [typed, setTyped] = useState({ current: "", password: "", again: "" });
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const { current, password, again } = typed;
  const problem = password === "" ? undefined : passwordProblem(password, email);
  const isAnother = again !== "" && again !== password;
  const isReady = current !== "" && password !== "" && again === password && !problem;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || !(await run(() => changePassword({ current, password })))) return;
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
  const wrong = useSettled(problem, pauseMs);
  const other = useSettled(isAnother ? "The passwords differ" : undefined, pauseMs);
  return (
    <Card title="Change your password" hint="your other sessions end; this session continues">
      <form onSubmit={(event) => void submit(event)} className="flex max-w-100 flex-col gap-4">
        {/* For whatever remembers passwords. */}
        <input type="email" value={email} readOnly autoComplete="username" hidden />
        <Field label="Current password" error={failure?.fields.current}>
          {input("current", "current-password")}
        </Field>
        <Field
          label="New password"
          hint={`at least ${shortestPassword} characters`}
          error={wrong ?? failure?.fields.password}
        >
          {input("password", "new-password")}
        </Field>
        <Field label="Confirm new password" error={other}>
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

export function KeyboardCard() {
  const open = useShortcutsDialog();
  return (
    <Card
      title="Keyboard"
      actions={
        <Button icon={<Keyboard />} onClick={open}>
          Show shortcuts
        </Button>
      }
    >
      <SingleKeysSwitch />
    </Card>
  );
}
