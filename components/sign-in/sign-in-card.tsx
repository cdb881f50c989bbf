import { Gauge } from "lucide-react";
import { Banner } from "@/components/ui/banner.tsx";
import type { readSignInPage } from "@/lib/console/session/sign-in-page.ts";
import type { Attempts } from "@/lib/manage/users/sign-in-limits.ts";
import { sayWait } from "@/lib/manage/users/wait.ts";
import { Gate } from "./gate.tsx";
import { SignInForm, SsoForm } from "./sign-in-form.tsx";
import { noticeOf, sayTrouble } from "./sign-in-words.ts";

export function SignInCard(page: Awaited<ReturnType<typeof readSignInPage>>) {
  const { host, token, to, code, hasSso, attempts, address } = page;
  const notice = code === undefined ? undefined : noticeOf(code);
  const trouble = code && !notice ? sayTrouble(code) : undefined;
  return (
    <Gate
      title="Sign in"
      hint="Every change is recorded in the audit log."
      host={host}
      footer={<AttemptsLine attempts={attempts} address={address} />}
    >
      {notice && (
        <Banner tone={notice.tone} title={notice.title}>
          {notice.rest}
        </Banner>
      )}
      {token === undefined ? (
        <Banner tone="blocked" title="Sign-in requires cookies.">
          Allow cookies for this address, then reload the page.
        </Banner>
      ) : (
        <>
          {hasSso && <SsoForm csrfToken={token} to={to} />}
          <SignInForm csrfToken={token} to={to} trouble={trouble} isSecond={hasSso} />
        </>
      )}
    </Gate>
  );
}

/** Attempts that are left for this address. */
function AttemptsLine({ attempts, address }: { attempts: Attempts; address: string | undefined }) {
  const { left, of, waitMs } = attempts;
  return (
    <p className="flex items-start gap-2">
      <Gauge className={left === 0 ? "text-throttled-graphic" : undefined} />
      <span className="min-w-0">
        {sayLeft(left, of)}
        <span className="font-mono wrap-anywhere">{address ?? "your address"}</span>
        {left === 0 && `. Try again in ${sayWait(waitMs)}.`}
      </span>
    </p>
  );
}

/** An address that many people share has no limit: failures make further attempts slower. */
function sayLeft(left: number, of: number): string {
  if (left === 0) return "No attempts left from ";
  return Number.isFinite(left)
    ? `${left} of ${of} attempts left from `
    : "Failed attempts slow down sign-ins from ";
}
