import { describe, expect, it } from "vitest";
import { innocentAgents, scannerAgents } from "../policy/vitest.agents.ts";
import { toolOf } from "./tools.ts";

const scriptClients: [name: string, userAgent: string][] = [
  ["curl", "curl/7.88.1"],
  ["curl", "PycURL/7.45.2 libcurl/7.88.1 OpenSSL/3.0.11 zlib/1.2.13"],
  ["Wget", "Wget/1.21.3"],
  ["python-requests", "python-requests/2.28.1"],
  ["urllib", "Python-urllib/3.11"],
  ["python-httpx", "python-httpx/0.27.0"],
  ["aiohttp", "Python/3.11 aiohttp/3.8.4"],
  ["Go", "Go-http-client/2.0"],
  ["libwww-perl", "libwww-perl/6.68"],
];

it.each(scannerAgents)("names the scanner or scraper %s: %s", (name, userAgent) => {
  expect(toolOf(userAgent)).toBe(name);
  expect(toolOf(userAgent.toUpperCase())).toBe(name);
});

it.each(scriptClients)("names what a script asks with, %s: %s", (name, userAgent) => {
  expect(toolOf(userAgent)).toBe(name);
});

describe.each(Object.entries(innocentAgents))("takes none of the %s for a tool", (_, userAgents) => {
  it.each(userAgents)("%s", (userAgent) => {
    expect(toolOf(userAgent)).toBeUndefined();
  });
});

it("does not guess who sends no user agent", () => {
  expect(toolOf("")).toBe("no user agent");
});
