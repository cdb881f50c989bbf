import { type Role, roles } from "@/lib/manage/users/roles.ts";
import type { UserRow } from "@/lib/queries/users.ts";

/** Number of sessions that will end, for the dialog. */
export function sayEndedSessions({ sessions }: Pick<UserRow, "sessions">): string {
  if (sessions === 0) return "No session is open.";
  return sessions === 1 ? "1 open session ends at once." : `${sessions} open sessions end at once.`;
}

/** Why this user cannot sign in yet. Undefined for users who can. */
export function sayWaiting({ canSignIn, linkUntil }: UserRow, now: number): string | undefined {
  if (canSignIn) return undefined;
  const isOver = linkUntil === undefined || Date.parse(linkUntil) <= now;
  return isOver ? "no password, link expired" : "no password yet, link not used";
}

/** Why this user cannot be changed here. Undefined for users that can. */
export function protection(user: UserRow, own: string): string | undefined {
  return user.email === own ? "You: another admin can change this." : undefined;
}

export const roleIsElsewhere = (user: UserRow): string | undefined =>
  user.by === "sso"
    ? "Single sign-on decides the role at each sign-in. Change it at the provider."
    : undefined;

/** What the role permits, in a line. */
export const roleWords: Readonly<Record<Role, string>> = {
  viewer: "Read-only. Cannot see users.",
  staff: "Adds entries that expire, sets the mode to shadow or off, lets clients in at the edge.",
  support: "Changes tiers, overrides and counters of customers.",
  admin: "Everything, including policy, users, protected ranges and the return to enforce.",
};

export const roleOptions = roles.map((value) => ({
  value,
  title: value[0]?.toUpperCase() + value.slice(1),
  children: roleWords[value],
}));
