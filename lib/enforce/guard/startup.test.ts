import { afterEach, expect, it, vi } from "vitest";
import { DomainError } from "../../errors.ts";
import { createGuard } from "./guard.ts";
import { loadOrExit } from "./startup.ts";

afterEach(() => vi.restoreAllMocks());

it("ends the process with one message for a setting that is refused, and for nothing else", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const exit = vi.spyOn(process, "exit").mockImplementation(() => {
    throw new Error("the process ended");
  });
  await loadOrExit(async () => "fine");
  await expect(loadOrExit(() => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
  const away = new DomainError("redis-unavailable", "Redis does not answer.");
  await expect(loadOrExit(() => Promise.reject(away))).rejects.toThrow(away);
  expect(exit).not.toHaveBeenCalled();
  const load = async () => createGuard({ redis: undefined, app: "shop" });
  await expect(loadOrExit(load)).rejects.toThrow("the process ended");
  expect(exit).toHaveBeenCalledWith(1);
  expect(log.mock.calls).toEqual([[expect.stringMatching(/^sluice: createGuard: redis is missing\./)]]);
});
