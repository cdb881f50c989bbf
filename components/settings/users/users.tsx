"use client";

import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { type UserRow, users } from "@/lib/queries/users.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import { UsersTable } from "./users-table.tsx";

const everyMs = 5_000;

export type UserVerb = "role" | "reset" | "remove";
type Open = { readonly verb: "invite" } | { readonly verb: UserVerb; readonly user: UserRow } | undefined;

/** Users and their roles. */
export function Users({ own }: { own: string }) {
  const read = useQuery({ ...users(), refetchInterval: everyMs });
  const { data } = read;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const invite = (
    <Button variant="primary" size="lg" icon={<UserPlus />} onClick={() => setOpen({ verb: "invite" })}>
      Invite a user
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Users and roles"
        back={{ href: "/settings", label: "Settings" }}
        facts={data && sayCount(data.users)}
        actions={invite}
      />
      <Card isFlush>
        <ReadState
          read={read}
          name="the users"
          skeleton={<RowsSkeleton rows={4} columns={[4, 2, 2, 1]} rowHeight={44} hasHead />}
          isInset
        >
          {({ users }) => (
            <UsersTable users={users} own={own} onVerb={(verb, user) => setOpen({ verb, user })} />
          )}
        </ReadState>
      </Card>
      {open?.verb === "invite" && <InviteDialog onClose={close} />}
      {open?.verb === "role" && <RoleDialog user={open.user} onClose={close} />}
      {open?.verb === "reset" && <ResetDialog user={open.user} onClose={close} />}
      {open?.verb === "remove" && <RemoveDialog user={open.user} onClose={close} />}
    </>
  );
}

function sayCount(all: readonly UserRow[]): string {
  const admins = all.filter(({ role }) => role === "admin").length;
  const people = all.length === 1 ? "1 user" : `${all.length} users`;
  return `${people}, ${admins === 1 ? "1 admin" : `${admins} admins`}`;
}
