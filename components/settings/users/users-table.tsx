"use client";

import { KeyRound, Trash2, UserCog, UserRound } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { UserRow } from "@/lib/queries/users.ts";
import { protection, roleIsElsewhere, sayWaiting } from "./user-words.ts";
import type { UserVerb } from "./users.tsx";

interface UsersTableProps {
  users: readonly UserRow[];
  /** Whose own row is protected. */
  own: string;
  onVerb: (verb: UserVerb, user: UserRow) => void;
}

export function UsersTable({ users, own, onVerb }: UsersTableProps) {
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
          {lastSignIn}, {user.sessions === 1 ? "1 session" : `${user.sessions} sessions`}
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
