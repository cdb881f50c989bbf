import type { Metadata } from "next";
import { Banner } from "../../../components/ui/banner.tsx";
import { LinkButton } from "../../../components/ui/link-button.tsx";
import { Untrusted } from "../../../components/ui/untrusted.tsx";
import { findLink } from "../../../lib/auth/link.ts";
import { environment } from "../../../lib/env.ts";
import { theConsole } from "../../_server/console.ts";
import { failureOf } from "../../_server/failure.ts";
import { Gate } from "../../signin/_components/gate.tsx";
import { PasswordForm } from "./_components/password-form.tsx";

// The address is the key: no other site and no log beside ours may learn it from here.
export const metadata: Metadata = { title: "Choose a password", referrer: "no-referrer", robots: "noindex" };

interface WelcomeProps {
  params: Promise<{ word: string }>;
}

/** Where a one-time link leads. To look at it does not use it up. */
export default async function Welcome({ params }: WelcomeProps) {
  const { word } = await params;
  const { publicUrl } = environment();
  const host = publicUrl && new URL(publicUrl).host;
  const found = await findLink(theConsole().redis, word).catch((error: unknown) => failureOf(error));
  if (found && "message" in found) {
    return (
      <Gate title="Choose a password" hint="Your link cannot be looked up just now." host={host}>
        <Banner tone="blocked" title={found.message}>
          Load the page again in a moment.
        </Banner>
      </Gate>
    );
  }
  if (!found) {
    return (
      <Gate
        title="This link is used up"
        hint="It was used before, has expired, or a newer one was made. Ask an admin for another."
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
      {kind === "invite" ? "You sign in with it from then on." : "It takes the place of your old one."}
    </>
  );
  return (
    <Gate title="Choose a password" hint={hint} host={host}>
      <PasswordForm word={word} email={email} />
    </Gate>
  );
}
