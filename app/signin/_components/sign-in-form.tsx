"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { sayTrouble } from "../sign-in-words.ts";
import { HiddenFields, type HiddenFieldsProps } from "./hidden-fields.tsx";
import { postToAuth } from "./post-to-auth.ts";
import { Trouble } from "./trouble.tsx";

interface SignInFormProps extends HiddenFieldsProps {
  /** What the address says is wrong: without JavaScript it is all there is. */
  trouble: string | undefined;
  /** Something else is the first thing to do here. */
  isSecond: boolean;
}

const noAnswer = "The console does not answer. What you typed is still here; try again.";

/** Works without JavaScript as a plain form, and with it without leaving the page. */
export function SignInForm({ trouble: first, isSecond, ...hidden }: SignInFormProps) {
  const router = useRouter();
  const [isBusy, setIsBusy] = useState(false);
  const [trouble, setTrouble] = useState(first);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    const posted = await postToAuth(event.currentTarget);
    // Another document, so that nothing of whoever was here before is left.
    if (posted && "to" in posted) return location.assign(within(posted.to));
    setTrouble(posted ? sayTrouble(posted.trouble) : noAnswer);
    setIsBusy(false);
    router.refresh();
  };
  return (
    <form
      method="post"
      action="/api/auth/callback/credentials"
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4"
    >
      <HiddenFields {...hidden} />
      <Field label="Email">
        <Input
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="username"
          spellCheck={false}
        />
      </Field>
      <Field label="Password">
        <Input name="password" type="password" required maxLength={1_000} autoComplete="current-password" />
      </Field>
      <Trouble says={trouble} />
      <Button type="submit" size="lg" variant={isSecond ? "secondary" : "primary"} isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  );
}

/** Under whatever name the console was reached. */
function within(href: string): string {
  const { pathname, search, hash } = new URL(href);
  return pathname + search + hash;
}
