import type { UserRow } from "../../../../../lib/queries/users.ts";

/** How many sessions will end: the consequence that is said before. */
export function sayEndedSessions({ sessions }: Pick<UserRow, "sessions">): string {
  if (sessions === 0) return "No session is open.";
  return sessions === 1 ? "1 open session ends at once." : `${sessions} open sessions end at once.`;
}

/** Why this user cannot sign in yet; nothing for who can. */
export function sayWaiting({ canSignIn, linkUntil }: UserRow, now: number): string | undefined {
  if (canSignIn) return undefined;
  const isOver = linkUntil === undefined || Date.parse(linkUntil) <= now;
  return isOver ? "no password, link expired" : "no password yet, link not used";
}

/** Why there is nothing to do to this user here; nothing where there is. */
export function protection(user: UserRow, own: string): string | undefined {
  return user.email === own ? "You: another admin can change this." : undefined;
}

export const roleIsElsewhere = (user: UserRow): string | undefined =>
  user.by === "sso"
    ? "Single sign-on decides the role at each sign-in. Change it at the provider."
    : undefined;
