import { Banner } from "@/components/ui/banner.tsx";
import type { readSignInPage } from "@/lib/console/session/sign-in-page.ts";
import { AttemptsLine } from "./attempts-line.tsx";
import { Gate } from "./gate.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { noticeOf, sayTrouble } from "./sign-in-words.ts";
import { SsoForm } from "./sso-form.tsx";

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
