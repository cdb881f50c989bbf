import { expect, it, vi } from "vitest";
import { atHome, leaveHome } from "./home.ts";

it("makes a thing once for all module graphs of a process", async () => {
  vi.resetModules();
  const again = await import("./home.ts");
  expect(again.atHome).not.toBe(atHome);
  const first = atHome("thing", () => ({}));
  expect(again.atHome("thing", () => ({}))).toBe(first);
  leaveHome("thing");
  expect(atHome("thing", () => ({}))).not.toBe(first);
});
