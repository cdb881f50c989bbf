import { expect, it } from "vitest";
import { readTheme } from "./look-choices.ts";

it("follows the browser until a known theme is chosen", () => {
  expect(readTheme("dark")).toBe("dark");
  expect(readTheme("light")).toBe("light");
  for (const text of [undefined, "", "system", 'dark" onload="x']) expect(readTheme(text)).toBe("system");
});
