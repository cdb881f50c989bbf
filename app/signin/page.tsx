import type { Metadata } from "next";
import { Banner } from "../../components/ui/banner.tsx";
import { environment } from "../../lib/env.ts";
import { csrfToken } from "../_server/csrf.ts";
import { theDoor } from "../_server/door.ts";
import { returnPath } from "../_server/return-path.ts";
import { cookieSession, findSignedIn, requestAddress } from "../_server/session.ts";
import { AttemptsLine } from "./_components/attempts-line.tsx";
import { Gate } from "./_components/gate.tsx";
import { SignInForm } from "./_components/sign-in-form.tsx";
import { SsoForm } from "./_components/sso-form.tsx";
import { leadTo } from "./lead-to.ts";
import { noticeOf, passwordSet, sayTrouble } from "./sign-in-words.ts";

export const metadata: Metadata = { title: "Sign in" };

interface SignInProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SignIn({ searchParams }: SignInProps) {
  const asked = await searchParams;
  const { publicUrl, oidc } = environment();
  const origin = publicUrl ?? "http://localhost:3000";
  const [callbackUrl, error] = [one(asked.callbackUrl), one(asked.error)];
  const to = returnPath(one(asked.to) ?? callbackUrl, origin);
  const [standing, token] = [await standingNow(), await csrfToken()];
  if (standing === "signed in" && error !== passwordSet) leadTo(to);
  const word = error ?? (standing === "ended" || standing === "unavailable" ? standing : undefined);
  if (token === undefined && callbackUrl === undefined) leadTo(throughAuth(to, word));
  const address = await requestAddress();
  const notice = word === undefined ? undefined : noticeOf(word);
  const trouble = word && !notice ? sayTrouble(word) : undefined;
  return (
    <Gate
      title="Sign in"
      hint="Every change is recorded in the audit log."
      host={new URL(origin).host}
      footer={<AttemptsLine attempts={await theDoor().limits.attempts(address)} address={address} />}
    >
      {notice && (
        <Banner tone={notice.tone} title={notice.title}>
          {notice.rest}
        </Banner>
      )}
      {token === undefined ? (
        <Banner tone="blocked" title="Signing in needs cookies.">
          Allow them for this address, then load the page again.
        </Banner>
      ) : (
        <>
          {oidc && <SsoForm csrfToken={token} to={to} />}
          <SignInForm csrfToken={token} to={to} trouble={trouble} isSecond={oidc !== undefined} />
        </>
      )}
    </Gate>
  );
}

async function standingNow(): Promise<"signed in" | "signed out" | "ended" | "unavailable"> {
  if ((await cookieSession()) === undefined) return "signed out";
  return findSignedIn({ isActivity: true }).then(
    (found) => (found ? "signed in" : "ended"),
    () => "unavailable",
  );
}

/** On this way next-auth gives the browser its token, which a page cannot. It takes one word along, and calls it an error. */
function throughAuth(to: string, error: string | undefined): string {
  return `/api/auth/signin?${new URLSearchParams({ callbackUrl: to, ...(error && { error }) })}`;
}

const one = (given: string | string[] | undefined): string | undefined =>
  typeof given === "string" ? given : given?.[0];
