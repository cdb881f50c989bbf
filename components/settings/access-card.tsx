import { Code, UserRound, Users } from "lucide-react";
import { Card } from "@/components/ui/card.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { may, type Role, rolesThatMay } from "@/lib/manage/users/roles.ts";

/** The signed-in user, with links to change the account. */
export function AccessCard({ email, role }: { email: string; role: Role }) {
  const mayUsers = may(role, "users");
  return (
    <Card title="Access">
      <div className="flex flex-col gap-3">
        <p className="text-body">
          You are signed in as <Untrusted text={email} max={80} className="font-medium" />, with the role{" "}
          {role}.
        </p>
        <div className="flex flex-wrap gap-2">
          <LinkButton href="/settings/account" icon={<UserRound />}>
            Your account
          </LinkButton>
          <LinkButton href="/settings/api" icon={<Code />}>
            API and tokens
          </LinkButton>
          {mayUsers && (
            <LinkButton href="/settings/users" icon={<Users />}>
              Users and roles
            </LinkButton>
          )}
        </div>
        {!mayUsers && (
          <p className="text-cell text-text-3">Users and roles: ask an {rolesThatMay("users")}.</p>
        )}
      </div>
    </Card>
  );
}
