"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Banner } from "../../../../../components/ui/banner.tsx";
import { Button } from "../../../../../components/ui/button.tsx";
import { Card } from "../../../../../components/ui/card.tsx";
import { PageHeader } from "../../../../../components/ui/page-header.tsx";
import { Skeleton } from "../../../../../components/ui/skeleton.tsx";
import { Timestamp } from "../../../../../components/ui/timestamp.tsx";
import { type UserRow, users } from "../../../../../lib/queries/users.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import { UsersTable } from "./users-table.tsx";

const everyMs = 5_000;

export type UserVerb = "role" | "reset" | "remove";
type Open = { readonly verb: "invite" } | { readonly verb: UserVerb; readonly user: UserRow } | undefined;

/** Who may sign in, and as what. */
export function Users({ own }: { own: string }) {
  const { data, error, dataUpdatedAt } = useQuery({
    ...users(),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });
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
      {error && (
        <Banner tone="blocked" title={error.message}>
          {data && (
            <>
              What is shown is of <Timestamp at={dataUpdatedAt} />.
            </>
          )}
        </Banner>
      )}
      <Card isFlush>
        {data && <UsersTable users={data.users} own={own} onVerb={(verb, user) => setOpen({ verb, user })} />}
        {!data && !error && <Waiting />}
        {!data && error && <p className="p-3.5 text-text-2">Users are shown as soon as they can be read.</p>}
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

function Waiting() {
  return (
    <div aria-busy="true" className="flex flex-col gap-2 p-3.5">
      <Skeleton className="h-6" />
      <Skeleton className="h-6 w-4/5" />
      <Skeleton className="h-6 w-2/3" />
    </div>
  );
}
