import { expect, it, vi } from "vitest";
import { request, testActions } from "../actions/vitest.actions.ts";
import { theCatalogue } from "../catalogue.ts";
import { postLinesPreview } from "./lines-preview.ts";
import { previewLines } from "./vitest.lines-preview.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const console = testActions();
const lines = {
  list: "blocklist" as const,
  ttlMs: 3_600_000,
  reason: "",
  confirmed: [],
  text: "203.0.113.9",
};

async function post(body: string, headers: Record<string, string>): Promise<number> {
  const asked = new Request("http://console.example.org/api", { method: "POST", body, headers });
  return (await postLinesPreview(asked, { params: Promise.resolve({ list: "blocklist" }) })).status;
}

it("says what would become of each line, and writes nothing", async () => {
  await console.signIn("staff");
  expect(await previewLines(lines)).toMatchObject({
    ok: true,
    value: { willWrite: ["203.0.113.9"], lines: [{ status: "new" }] },
  });
  expect(await console.log.client.keys("blocklist:*")).toEqual([]);
  expect(await console.records()).toEqual([]);
});

it("is refused from elsewhere, signed out, and without the right, which is recorded", async () => {
  expect(await previewLines(lines)).toMatchObject({ error: { code: "signed-out" } });
  const email = await console.signIn("viewer");
  expect(await previewLines(lines)).toMatchObject({ error: { code: "not-allowed" } });
  expect(await console.records()).toMatchObject([{ action: "refused:lists.preview", actor: email }]);
  await console.signIn("staff");
  for (const origin of ["https://evil.example", undefined]) {
    request.headers = new Headers({ host: "console.example.org", ...(origin && { origin }) });
    expect(await previewLines(lines), origin).toMatchObject({ error: { code: "not-allowed" } });
  }
});

it("reads no body that is too long, of unknown length, or no object", async () => {
  await console.signIn("staff");
  const body = JSON.stringify(lines);
  expect(await post(body, { "content-length": `${body.length}` })).toBe(200);
  expect(await post(body, { "content-length": "1048577" })).toBe(400);
  expect(await post(body, {})).toBe(400);
  for (const other of ["[]", "null", "1", "{"])
    expect(await post(other, { "content-length": `${other.length}` })).toBe(400);
});

it("knows two lists", async () => {
  await console.signIn("staff");
  const asked = new Request("http://console.example.org/api", { method: "POST", body: "{}" });
  const answer = await postLinesPreview(asked, { params: Promise.resolve({ list: "greylist" }) });
  expect(answer.status).toBe(400);
});

it("frees its turn when it is aborted while it waits, and logs no failure", async () => {
  await console.signIn("staff");
  await theCatalogue().ready;
  const logged = vi.spyOn(globalThis.console, "error").mockReturnValue();
  const aborted = AbortSignal.abort();
  const waiting = Array.from({ length: 8 }, () => previewLines(lines, aborted));
  for (const result of await Promise.all(waiting)) expect(result).toMatchObject({ ok: false });
  expect(logged).not.toHaveBeenCalled();
  expect(await previewLines(lines)).toMatchObject({ ok: true });
  vi.restoreAllMocks();
});
