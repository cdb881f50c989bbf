import type { Metadata } from "next";
import { Card } from "../../../../components/ui/card.tsx";
import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import { findUser } from "../../../../lib/auth/users.ts";
import { theConsole } from "../../../_server/console.ts";
import { requireSignedIn } from "../../../_server/session.ts";
import { roleWords } from "../users/_components/role-words.ts";
import { PasswordCard } from "./_components/password-card.tsx";

export const metadata: Metadata = { title: "Your account" };

export default async function Account() {
  const { email, role } = await requireSignedIn();
  const user = await findUser(theConsole().redis, email);
  return (
    <>
      <PageHeader title="Your account" back={{ href: "/settings", label: "Settings" }} />
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <Card title="Who you are">
          <p className="text-body">
            <Untrusted text={email} max={120} className="font-medium" />, {role}. {roleWords[role]}
          </p>
          <p className="mt-2 text-cell text-text-3">
            A session ends after 30 minutes without activity, and after 8 hours in any case.
          </p>
        </Card>
        {user?.by === "sso" ? (
          <Card title="Password">
            <p className="text-body text-text-2">
              You sign in by single sign-on, so there is no password here. Your provider keeps it.
            </p>
          </Card>
        ) : (
          <PasswordCard email={email} />
        )}
      </div>
    </>
  );
}
