import { Banner } from "@/components/ui/banner.tsx";
import { Card } from "@/components/ui/card.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { Role } from "@/lib/manage/users/roles.ts";
import type { User } from "@/lib/manage/users/user.ts";
import { KeyboardCard, PasswordCard } from "./account-cards.tsx";
import { roleWords } from "./users/user-words.ts";

interface AccountProps {
  readonly email: string;
  readonly role: Role;
  /** Undefined if the user was removed during the request. */
  readonly user: Pick<User, "firstPassword" | "by"> | undefined;
}

export function Account({ email, role, user }: AccountProps) {
  return (
    <>
      <PageHeader title="Your account" back={{ href: "/settings", label: "Settings" }} />
      {user?.firstPassword && (
        <Banner tone="throttled" title="You still use the first password. Other people may have read it.">
          {user.firstPassword === "log"
            ? "The console wrote it to its log. Change it below."
            : "SLUICE_ADMIN_PASSWORD in the console's configuration holds it. Change it below."}
        </Banner>
      )}
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <Card title="Account">
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
              You sign in by single sign-on, so the console stores no password for you.
            </p>
          </Card>
        ) : (
          <PasswordCard email={email} />
        )}
        <KeyboardCard />
      </div>
    </>
  );
}
