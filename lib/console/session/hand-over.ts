/** Where next-auth believes to be without a setting. */
const usual = "http://localhost:3000";

/**
 * What next-auth answers, with two corrections. Ways within the console become paths, so that they hold under whatever name it
 * was reached. And a form may lead out of the console by no redirect (its content policy), so a page leads on instead.
 */
export function handOver(response: Response, publicUrl: string | undefined): Response {
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location)) return response;
  const there = new URL(location);
  if (there.origin !== new URL(publicUrl ?? usual).origin) return leadOn(response, there);
  response.headers.set("location", there.pathname + there.search + there.hash);
  return response;
}

function leadOn({ headers }: Response, { href }: URL): Response {
  const to = href.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const page =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Single sign-on</title>' +
    `<meta http-equiv="refresh" content="0;url=${to}"><p><a href="${to}">Continue with single sign-on</a></p></html>`;
  const sent = new Headers(headers);
  sent.delete("location");
  sent.set("content-type", "text/html; charset=utf-8");
  return new Response(page, { headers: sent });
}
