/** Result: the next address, or an error code. */
export type Posted = { readonly to: string } | { readonly trouble: string } | undefined;

/** Sends a sign-in form without leaving the page, so the input is kept. Undefined without an answer. */
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
