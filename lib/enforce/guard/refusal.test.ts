import { expect, it } from "vitest";
import { isCanonical } from "../../ip/parse.ts";
import { refusalOf } from "./refusal.ts";
import { verdict } from "./verdict.ts";

const [entry] = ["203.0.113.9"].filter(isCanonical);
if (!entry) throw new Error("the example is no address");
const typeFor = (accept: string | null) => refusalOf(verdict.blocked(entry), accept).headers["content-type"];

it.each([
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"],
  ["application/json", "application/problem+json"],
  ["application/json, text/plain, */*", "application/problem+json"],
  ["text/html;q=0.1, application/problem+json", "application/problem+json"],
  ["TEXT/HTML", "text/html; charset=utf-8"],
  ["text/html;q=0", "text/plain; charset=utf-8"],
  ["text/html;q=nonsense", "text/plain; charset=utf-8"],
  ["text/x-component", "text/plain"],
  ["*/*", "text/plain; charset=utf-8"],
  ["", "text/plain; charset=utf-8"],
  [null, "text/plain; charset=utf-8"],
  [",;=".repeat(10_000), "text/plain; charset=utf-8"],
])("answers %j in %s", (accept, type) => {
  expect(typeFor(accept)).toBe(type);
});

it("says nothing of lists, entries and reasons, and is never cached", () => {
  for (const accept of ["text/html", "application/json", "text/plain"]) {
    const { body, headers, status } = refusalOf(verdict.blocked(entry), accept);
    expect(status).toBe(403);
    expect(body).not.toMatch(/203\.0\.113|list/i);
    expect(headers).toMatchObject({ "cache-control": "private, no-store", vary: "accept" });
  }
});
