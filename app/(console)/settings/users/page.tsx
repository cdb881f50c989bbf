import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { Users } from "@/components/settings/users/users.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Prefetched, pageRead } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { getUsers } from "@/lib/console/stored-users.ts";
import { may, rolesThatMay } from "@/lib/manage/users/roles.ts";
import { users } from "@/lib/queries/users.ts";

export const metadata: Metadata = { title: "Users and roles" };

const back = { href: "/settings", label: "Settings" };

export default async function UsersPage() {
  const { email, role } = await requireSignedIn();
  if (may(role, "users"))
    return (
      <Prefetched reads={[pageRead(users(), getUsers, {})]}>
        <Users own={email} />
      </Prefetched>
    );
  return (
    <>
      <PageHeader title="Users and roles" back={back} />
      <Card>
        <EmptyState
          icon={<Lock />}
          title={`Only ${rolesThatMay("users")} can see and change users.`}
          hint={`Your role is ${role}. To invite a user or to change a role, ask an admin.`}
        />
      </Card>
    </>
  );
}
