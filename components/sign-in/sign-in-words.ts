import { passwordSet } from "@/lib/manage/users/passwords.ts";
import { ssoRefusals } from "@/lib/manage/users/sso-claims.ts";
import { sayWait } from "@/lib/manage/users/wait.ts";

/** Codes of messages that are not errors. */
const notices: Readonly<Record<string, { tone: "pass" | "plain"; title: string; rest?: string }>> = {
  [passwordSet]: { tone: "pass", title: "Your password is set. Sign in with it." },
  ended: {
    tone: "plain",
    title: "Your session has ended",
    rest: "After 30 minutes without activity, after 8 hours, or because your account was changed.",
  },
};

const sentences: Readonly<Record<string, string>> = {
  ...ssoRefusals,
  CredentialsSignin: "Email or password is wrong.",
  unavailable: "Sign-in is unavailable: Redis does not respond or refuses writes. Try again in a moment.",
  csrf: "This page was open for too long. Try again.",
};

const sso = "Single sign-on failed. Try again. The console's log has the cause.";
const other = "Sign-in failed. Try again.";

/** The sentence for a word that an address brings. Strangers write addresses, so none of it is repeated. */
export function sayTrouble(word: string): string {
  const seconds = /^throttled-(\d{1,6})$/.exec(word)?.[1];
  if (seconds !== undefined)
    return `Too many failed attempts. Try again in ${sayWait(Number(seconds) * 1_000)}.`;
  if (/^(OAuth|Callback|Signin|AccessDenied)/.test(word)) return sso;
  return Object.hasOwn(sentences, word) ? (sentences[word] ?? other) : other;
}

export const noticeOf = (word: string) => (Object.hasOwn(notices, word) ? notices[word] : undefined);
