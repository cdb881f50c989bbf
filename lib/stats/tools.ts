import { scanners } from "../policy/scanners.ts";

/** What scripts ask with, good ones too. It tells that no browser does. */
const scriptClients: readonly (readonly [mark: string, name: string])[] = [
  ["python-requests", "python-requests"],
  ["python-urllib", "urllib"],
  ["python-httpx", "python-httpx"],
  ["aiohttp", "aiohttp"],
  ["go-http-client", "Go"],
  ["libwww-perl", "libwww-perl"],
  ["curl/", "curl"],
  ["wget/", "Wget"],
];

const marks = [...scanners, ...scriptClients];

/**
 * The tool that a user agent names; nothing for what people browse with, nor for crawlers, feed readers and monitors, which
 * say whose they are. Some tools, such as wrk, send none at all: that is all that can be said of them.
 *
 * @param others words by which the policy knows further ones
 */
export function toolOf(userAgent: string, others: readonly string[] = []): string | undefined {
  if (userAgent === "") return "no user agent";
  const text = userAgent.toLowerCase();
  return marks.find(([mark]) => text.includes(mark))?.[1] ?? others.find((word) => text.includes(word));
}
