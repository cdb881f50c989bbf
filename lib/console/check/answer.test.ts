import { expect, it } from "vitest";
import { type Verdict, verdict } from "../../enforce/guard/verdict.ts";
import { isCanonical } from "../../ip/parse.ts";
import { nginxAnswer, plainAnswer } from "./answer.ts";

const [entry] = ["203.0.113.9"].filter(isCanonical);
if (!entry) throw new Error("the example is no address");
const rateLimit = { ratelimit: '"minute";r=0;t=42', "retry-after": "42" };
const throttled: Verdict = {
  ...verdict.blocked(entry),
  outcome: "throttled",
  status: 429,
  headers: rateLimit,
};
const passed: Verdict = { ...verdict.pass(), headers: { ratelimit: '"minute";r=7;t=42' } };

it("lets pass with the verdict's headers, and nothing to cache", () => {
  expect(plainAnswer(passed, null)).toEqual({
    status: 204,
    headers: { ratelimit: '"minute";r=7;t=42', "cache-control": "private, no-store" },
    body: null,
  });
  expect(plainAnswer(verdict.safelisted(entry), null).status).toBe(204);
});

it("refuses with the verdict's own status, headers and words", () => {
  expect(plainAnswer(verdict.blocked(entry), "text/plain").status).toBe(403);
  const answer = plainAnswer(throttled, "text/plain");
  expect(answer).toMatchObject({
    status: 429,
    headers: { ...rateLimit, "cache-control": "private, no-store" },
  });
  expect(answer.body).toBeTruthy();
});

it("tells nginx by a 403 what it cannot take as a status", () => {
  expect(nginxAnswer(throttled)).toEqual({
    status: 403,
    headers: {
      ...rateLimit,
      "cache-control": "private, no-store",
      "x-sluice-outcome": "throttled",
      "x-sluice-status": "429",
    },
    body: null,
  });
  expect(nginxAnswer(verdict.blocked(entry))).toMatchObject({
    status: 403,
    headers: { "x-sluice-status": "403" },
  });
  expect(nginxAnswer(passed)).toMatchObject({ status: 204, headers: { "x-sluice-outcome": "pass" } });
});

it("puts the body into headers of nginx's answer, in the format the client accepts", () => {
  const spoken = { ...throttled, rule: "minute", message: "Ça suffit.\nRéessayez à 5 h." };
  const headersFor = (accept: string) => new Headers(nginxAnswer(spoken, { accept }).headers);
  const utf8 = (text: string | null) => Buffer.from(text ?? "", "latin1").toString("utf8");
  const json = headersFor("application/json");
  expect(json.get("x-sluice-content-type")).toBe("application/problem+json");
  expect(JSON.parse(utf8(json.get("x-sluice-body")))).toMatchObject({
    ...{ status: 429, detail: spoken.message, "violated-policies": ["minute"] },
  });
  const html = headersFor("text/html");
  expect(html.get("x-sluice-content-type")).toBe("text/html; charset=utf-8");
  expect(utf8(html.get("x-sluice-body"))).toContain("<p>Ça suffit. Réessayez à 5 h.</p>");
  expect(nginxAnswer(passed, { accept: "text/html" }).headers).not.toHaveProperty("x-sluice-body");
});
