"use client";

import { KeyRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { leave } from "@/components/console/leave.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { sayTrouble } from "./sign-in-words.ts";
import { Trouble } from "./trouble.tsx";

interface HiddenFields {
  /** Proves to next-auth that the form is the console's own. */
  csrfToken: string;
  to: string;
}

/** Leads to the provider of single sign-on. */
export function SsoForm(hidden: HiddenFields) {
  const { submit, isBusy, trouble } = usePostToAuth({
    addressOf: (to) => to,
    noAnswer: "The console does not answer. Try again.",
  });
  return (
    <AuthForm hidden={hidden} action="/api/auth/signin/oidc" onSubmit={submit}>
      <Button type="submit" size="lg" variant="primary" icon={<KeyRound />} isBusy={isBusy}>
        Continue with single sign-on
      </Button>
      <Trouble says={trouble} />
      <p className="flex items-center gap-3 text-cell text-text-3 before:h-px before:flex-1 before:bg-border-2 after:h-px after:flex-1 after:bg-border-2">
        or with a password
      </p>
    </AuthForm>
  );
}

interface SignInFormProps extends HiddenFields {
  /** Error code of the address: the only one without JavaScript. */
  trouble: string | undefined;
  /** Another control has the first focus. */
  isSecond: boolean;
}

/** Works without JavaScript as a plain form, and with it without leaving the page. */
export function SignInForm({ trouble: first, isSecond, ...hidden }: SignInFormProps) {
  const router = useRouter();
  const { submit, isBusy, trouble } = usePostToAuth({
    first,
    addressOf: within,
    noAnswer: "The console does not respond. Your input is kept. Try again.",
    onRefused: () => router.refresh(),
  });
  return (
    <AuthForm hidden={hidden} action="/api/auth/callback/credentials" onSubmit={submit}>
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
    </AuthForm>
  );
}

interface AuthFormProps {
  hidden: HiddenFields;
  action: string;
  onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
  children: ReactNode;
}

function AuthForm({ hidden: { csrfToken, to }, action, onSubmit, children }: AuthFormProps) {
  return (
    <form
      method="post"
      action={action}
      onSubmit={(event) => void onSubmit(event)}
      className="flex flex-col gap-4"
    >
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value={to} />
      {children}
    </form>
  );
}

interface PostOptions {
  first?: string | undefined;
  /** Where an accepted form leads, from the address in the answer. */
  addressOf: (to: string) => string;
  noAnswer: string;
  onRefused?: () => void;
}

/** Sends a form of next-auth, and leaves the page once it is accepted. */
function usePostToAuth({ first, addressOf, noAnswer, onRefused }: PostOptions) {
  const { run, isBusy } = useMutate();
  const [trouble, setTrouble] = useState(first);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const posted = await run(async () => {
      const answer = await postToAuth(form);
      // Another document, so that no data of the previous user is left.
      return answer && "to" in answer ? leave(addressOf(answer.to)) : { ok: true, value: answer };
    });
    const refused = posted?.value;
    setTrouble(refused ? sayTrouble(refused.trouble) : noAnswer);
    onRefused?.();
  };
  return { submit, isBusy, trouble };
}

/** Under whatever name the console was reached. */
function within(href: string): string {
  const { pathname, search, hash } = new URL(href);
  return pathname + search + hash;
}

/** Result: the next address, or an error code. */
type Posted = { readonly to: string } | { readonly trouble: string } | undefined;

/** Sends a sign-in form without leaving the page, so the input is kept. Undefined without an answer. */
async function postToAuth(form: HTMLFormElement): Promise<Posted> {
  const fields = new URLSearchParams({ json: "true" });
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.set(name, value);
  const answer = await fetch(form.action, { method: "POST", body: fields }).catch(() => undefined);
  const reply: unknown = await answer?.json().catch(() => undefined);
  const url = typeof reply === "object" && reply && "url" in reply ? String(reply.url) : "";
  if (!URL.canParse(url, location.href)) return undefined;
  return readReply(new URL(url, location.href));
}

function readReply(url: URL): Posted {
  if (url.pathname === "/api/auth/signin" && url.searchParams.has("csrf")) return { trouble: "csrf" };
  const isAuth = /^\/(api\/auth|signin)(\/|$)/.test(url.pathname);
  const error = url.searchParams.get("error");
  if (isAuth && error !== null) return { trouble: error };
  return { to: url.href };
}
