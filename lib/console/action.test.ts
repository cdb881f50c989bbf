import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { DomainError } from "../errors.ts";
import { action } from "./action.ts";
import { request, testActions } from "./actions/vitest.actions.ts";
import { theConsole } from "./console.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({ get: (name: string) => ({ value: request.cookies.get(name) }) }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const { signIn } = testActions();

const failing = (error: Error) =>
  action({
    name: "blocklist.add",
    needs: "lists",
    input: z.object({}),
    run: async () => {
      throw error;
    },
  });

describe("a failed change says what is known of its effect", () => {
  it.each([
    ["Redis stopped answering after the change began", new Error("Connection is closed."), "unknown"],
    ["Redis refused the write", new Error("READONLY You can't write against a replica."), "none"],
    ["the verb refused the input", new DomainError("bad-input", "Not an address."), "none"],
  ])("%s", async (_, error, effect) => {
    await signIn("admin");
    expect(await failing(error)({})).toMatchObject({ ok: false, error: { effect } });
  });

  it("Redis was away before the change began", async () => {
    await signIn("admin");
    vi.spyOn(theConsole().redis, "get").mockRejectedValue(new Error("Connection is closed."));
    const run = vi.fn();
    const act = action({ name: "blocklist.add", needs: "lists", input: z.object({}), run });
    expect(await act({})).toMatchObject({
      ok: false,
      error: { code: "redis-unavailable", effect: "none", message: expect.stringContaining("not started") },
    });
    expect(run).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
