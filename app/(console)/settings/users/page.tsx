import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { Card } from "../../../../components/ui/card.tsx";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { may, rolesThatMay } from "../../../../lib/auth/roles.ts";
import { requireSignedIn } from "../../../_server/session.ts";
import { Users } from "./_components/users.tsx";

export const metadata: Metadata = { title: "Users and roles" };

const back = { href: "/settings", label: "Settings" };

export default async function UsersPage() {
  const { email, role } = await requireSignedIn();
  if (may(role, "users")) return <Users own={email} />;
  return (
    <>
      <PageHeader title="Users and roles" back={back} />
      <Card>
        <EmptyState
          icon={<Lock />}
          title={`Users are seen and changed by ${rolesThatMay("users")} alone.`}
          hint={`Your role is ${role}. Ask an admin to invite somebody, or to change a role.`}
        />
      </Card>
    </>
  );
}
