"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { leave } from "@/components/console/leave.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { HiddenFields, type HiddenFieldsProps } from "./hidden-fields.tsx";
import { postToAuth } from "./post-to-auth.ts";
import { sayTrouble } from "./sign-in-words.ts";
import { Trouble } from "./trouble.tsx";

interface SignInFormProps extends HiddenFieldsProps {
  /** Error code of the address: the only one without JavaScript. */
  trouble: string | undefined;
  /** Another control has the first focus. */
  isSecond: boolean;
}

const noAnswer = "The console does not respond. Your input is kept. Try again.";

/** Works without JavaScript as a plain form, and with it without leaving the page. */
export function SignInForm({ trouble: first, isSecond, ...hidden }: SignInFormProps) {
  const router = useRouter();
  const { run, isBusy } = useMutate();
  const [trouble, setTrouble] = useState(first);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const posted = await run(async () => {
      const answer = await postToAuth(form);
      // Another document, so that no data of the previous user is left.
      return answer && "to" in answer ? leave(within(answer.to)) : { ok: true, value: answer };
    });
    const refused = posted?.value;
    setTrouble(refused ? sayTrouble(refused.trouble) : noAnswer);
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
