/** What came of it: where to go, or the word of what is wrong. */
export type Posted = { readonly to: string } | { readonly trouble: string } | undefined;

/** Sends a form of signing in without leaving the page, so that nothing typed is lost. Nothing: no answer came. */
export async function postToAuth(form: HTMLFormElement): Promise<Posted> {
  const fields = new URLSearchParams({ json: "true" });
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.set(name, value);
  const answer = await fetch(form.action, { method: "POST", body: fields }).catch(() => undefined);
  const reply: unknown = await answer?.json().catch(() => undefined);
  const url = typeof reply === "object" && reply && "url" in reply ? String(reply.url) : "";
  if (!URL.canParse(url, location.href)) return undefined;
  return readReply(new URL(url, location.href));
}

function readReply(url: URL): Posted {
  if (url.pathname === "/api/auth/signin" && url.searchParams.has("csrf")) return { trouble: "csrf" };
  const isAuth = /^\/(api\/auth|signin)(\/|$)/.test(url.pathname);
  const error = url.searchParams.get("error");
  if (isAuth && error !== null) return { trouble: error };
  return { to: url.href };
}
