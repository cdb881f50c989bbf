import { expect, it, vi } from "vitest";
import { forgetOnce, oncePerProcess } from "./once-per-process.ts";

it("makes a thing once for all module graphs of a process", async () => {
  vi.resetModules();
  const again = await import("./once-per-process.ts");
  expect(again.oncePerProcess).not.toBe(oncePerProcess);
  const first = oncePerProcess("thing", () => ({}));
  expect(again.oncePerProcess("thing", () => ({}))).toBe(first);
  forgetOnce("thing");
  expect(oncePerProcess("thing", () => ({}))).not.toBe(first);
});
