import { ssoRefusals } from "../../lib/auth/sso-claims.ts";
import { sayWait } from "../../lib/auth/wait.ts";

export const passwordSet = "password-set";

/** Words that tell what happened before, of which nothing went wrong. */
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
  unavailable:
    "Nobody can sign in just now: Redis does not answer, or takes no changes. Try again in a moment.",
  csrf: "This page was open for too long. Try again.",
};

const sso = "Single sign-on did not work. Try again; the console's log says why.";
const other = "That did not work. Try again.";

/** The sentence for a word that an address brings. Strangers write addresses, so none of it is repeated. */
export function sayTrouble(word: string): string {
  const seconds = /^throttled-(\d{1,6})$/.exec(word)?.[1];
  if (seconds !== undefined)
    return `Too many failed attempts. Try again in ${sayWait(Number(seconds) * 1_000)}.`;
  if (/^(OAuth|Callback|Signin|AccessDenied)/.test(word)) return sso;
  return Object.hasOwn(sentences, word) ? (sentences[word] ?? other) : other;
}

export const noticeOf = (word: string) => (Object.hasOwn(notices, word) ? notices[word] : undefined);
