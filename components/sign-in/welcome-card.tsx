import { Banner } from "@/components/ui/banner.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { readWelcomePage } from "@/lib/console/session/sign-in-page.ts";
import { Gate } from "./gate.tsx";
import { PasswordForm } from "./password-form.tsx";

export function WelcomeCard({ host, word, found }: Awaited<ReturnType<typeof readWelcomePage>>) {
  if (found && "message" in found) {
    return (
      <Gate title="Choose a password" hint="Your link failed to load." host={host}>
        <Banner tone="blocked" title={found.message}>
          Reload the page in a moment.
        </Banner>
      </Gate>
    );
  }
  if (!found) {
    return (
      <Gate
        title="This link no longer works"
        hint="It was used, has expired, or was replaced by a newer link. Ask an admin for another."
        host={host}
      >
        <LinkButton href="/signin" size="lg">
          Sign in
        </LinkButton>
      </Gate>
    );
  }
  const { email, kind, user } = found;
  const hint = (
    <>
      For <Untrusted text={email} max={120} className="font-medium text-text" />, {user.role}.{" "}
      {kind === "invite" ? "You sign in with this password from then on." : "It replaces your old password."}
    </>
  );
  return (
    <Gate title="Choose a password" hint={hint} host={host}>
      <PasswordForm word={word} email={email} />
    </Gate>
  );
}
