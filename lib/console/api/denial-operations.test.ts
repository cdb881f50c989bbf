import { expect, it, vi } from "vitest";
import { testApi } from "./vitest.api.ts";

vi.mock("next/headers", () => ({}));
vi.mock("next/navigation", () => ({}));

const api = testApi();
const path = "/denials/retention";

it("shows and sets how long the denial log is kept, with its own scope, and writes nothing in a dry run", async () => {
  const reader = await api.token(["read"], { name: "reader" });
  const secret = await api.token(["read", "denial-log"]);
  const put = (days: number, query = "", given = secret) =>
    api.call("PUT", `${path}${query}`, { secret: given, body: { days, reason: "review" } });
  expect((await api.call("GET", path, { secret: reader })).body).toEqual({ days: 3 });
  expect((await put(7, "", reader)).status).toBe(403);
  expect((await put(7, "?dryRun=true")).body).toEqual({ days: 7, before: 3, record: null, dryRun: true });
  expect(await put(0)).toMatchObject({ status: 400, body: { errors: [{ field: "days" }] } });
  expect((await api.call("GET", path, { secret })).body).toEqual({ days: 3 });
  expect((await put(7)).body).toMatchObject({ days: 7, before: 3, record: expect.any(Number) });
  expect((await put(7)).body).toMatchObject({ before: 7, record: null });
  expect((await api.call("GET", path, { secret })).body).toEqual({ days: 7 });
  const records = (await api.records()).filter(({ action }) => !action.startsWith("refused:"));
  expect(records).toMatchObject([{ action: "denials.retention", actor: "token:ci", reason: "review" }]);
});
