/** Pages that are no place to return to after a sign-in. */
const elsewhere = /^\/(api|signin|welcome)([/?#]|$)/;

/**
 * Where to go after signing in: a path of the console, whatever was asked for. An address of the console's own origin
 * counts as its path; what leads anywhere else is the first page.
 */
export function returnPath(asked: string | null | undefined, origin: string): string {
  if (!asked || !URL.canParse(asked, origin)) return "/";
  const url = new URL(asked, origin);
  const path = url.pathname + url.search + url.hash;
  // A path that begins with two slashes is another host to a browser.
  const isOurs = url.origin === new URL(origin).origin && !path.startsWith("//");
  return isOurs && !elsewhere.test(path) ? path : "/";
}
