"use client";

import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { leave } from "@/components/console/leave.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { HiddenFields, type HiddenFieldsProps } from "./hidden-fields.tsx";
import { postToAuth } from "./post-to-auth.ts";
import { sayTrouble } from "./sign-in-words.ts";
import { Trouble } from "./trouble.tsx";

/** Leads to the provider of single sign-on. */
export function SsoForm(hidden: HiddenFieldsProps) {
  const { run, isBusy } = useMutate();
  const [trouble, setTrouble] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const posted = await run(async () => {
      const answer = await postToAuth(form);
      return answer && "to" in answer ? leave(answer.to) : { ok: true, value: answer };
    });
    const refused = posted?.value;
    setTrouble(refused ? sayTrouble(refused.trouble) : "The console does not answer. Try again.");
  };
  return (
    <form
      method="post"
      action="/api/auth/signin/oidc"
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4"
    >
      <HiddenFields {...hidden} />
      <Button type="submit" size="lg" variant="primary" icon={<KeyRound />} isBusy={isBusy}>
        Continue with single sign-on
      </Button>
      <Trouble says={trouble} />
      <p className="flex items-center gap-3 text-cell text-text-3 before:h-px before:flex-1 before:bg-border-2 after:h-px after:flex-1 after:bg-border-2">
        or with a password
      </p>
    </form>
  );
}
