"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Trash2, UserCog, UserPlus, UserRound } from "lucide-react";
import { useState } from "react";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import { useNow } from "@/components/ui/now.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { type UserRow, users } from "@/lib/queries/users.ts";
import { InviteDialog, RemoveDialog, ResetDialog, RoleDialog } from "./user-dialogs.tsx";
import { protection, roleIsElsewhere, sayWaiting } from "./user-words.ts";

const everyMs = 5_000;

type UserVerb = "role" | "reset" | "remove";
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
  return `${counted(all.length, "user")}, ${counted(admins, "admin")}`;
}

interface UsersTableProps {
  users: readonly UserRow[];
  /** Whose own row is protected. */
  own: string;
  onVerb: (verb: UserVerb, user: UserRow) => void;
}

function UsersTable({ users, own, onVerb }: UsersTableProps) {
  return (
    <TableFrame label="Users" isInset className="rounded-t-card">
      <thead>
        <tr>
          <Th>Email</Th>
          <Th>Role</Th>
          <Th className="max-md:hidden">Signs in by</Th>
          <Th className="max-md:hidden">Since</Th>
          <Th className="max-sm:hidden">Last sign-in</Th>
          <Th isNumber className="max-sm:hidden">
            Sessions now
          </Th>
          <Th isLabelHidden>Actions</Th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <Row key={user.email} user={user} own={own} onVerb={(verb) => onVerb(verb, user)} />
        ))}
      </tbody>
    </TableFrame>
  );
}

interface RowProps {
  user: UserRow;
  own: string;
  onVerb: (verb: UserVerb) => void;
}

function Row({ user, own, onVerb }: RowProps) {
  const waiting = sayWaiting(user, useNow());
  const lastSignIn = user.lastSignIn ? <Timestamp at={user.lastSignIn.at} /> : "never";
  return (
    <Tr>
      <Td className="py-1.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Untrusted text={user.email} max={120} className="font-medium" />
          {user.email === own && <Badge tone="plain">you</Badge>}
          {waiting && <Badge tone="throttled">{waiting}</Badge>}
        </span>
        <span className="block text-meta text-text-3 sm:hidden">
          {lastSignIn}, {counted(user.sessions, "session")}
        </span>
      </Td>
      <Td>{user.role}</Td>
      <Td className="text-text-2 max-md:hidden">{user.by === "sso" ? "single sign-on" : "password"}</Td>
      <Td className="text-text-2 max-md:hidden">
        {user.since === "" ? "unknown" : <Timestamp at={user.since} />}
      </Td>
      <Td className="text-text-2 max-sm:hidden">{lastSignIn}</Td>
      <Td isNumber className="max-sm:hidden">
        {user.sessions}
      </Td>
      <Td className="w-11 text-right">
        <Actions user={user} own={own} onVerb={onVerb} />
      </Td>
    </Tr>
  );
}

function Actions({ user, own, onVerb }: RowProps) {
  if (protection(user, own)) {
    return (
      <LinkButton href="/settings/account" size="sm" variant="ghost" icon={<UserRound />}>
        <span className="max-sm:sr-only">Your account</span>
      </LinkButton>
    );
  }
  const elsewhere = roleIsElsewhere(user);
  return (
    <Menu
      label={`Actions for ${user.email}`}
      items={[
        {
          ...{ label: "Change role", icon: <UserCog />, onSelect: () => onVerb("role") },
          ...{ isDisabled: elsewhere !== undefined, hint: elsewhere },
        },
        {
          ...{ label: user.canSignIn ? "Reset password" : "Create another link", icon: <KeyRound /> },
          onSelect: () => onVerb("reset"),
        },
        { label: "Remove", icon: <Trash2 />, isDanger: true, onSelect: () => onVerb("remove") },
      ]}
    />
  );
}
