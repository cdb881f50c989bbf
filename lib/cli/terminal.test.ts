import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { environment } from "../env.ts";
import { ProgressLine, printable, printableJson } from "./terminal.ts";

const nasty = "a\u001b[31m\u0007\u009b\u202e\u2066\u2028\u00ad\u{e0041}\udc00z";

it("writes out what a terminal would act on, in one line", () => {
  expect(printable(nasty)).toBe(
    "a<U+001B>[31m<U+0007><U+009B><U+202E><U+2066><U+2028><U+00AD><U+E0041><U+DC00>z",
  );
  expect(printable("one\r\ntwo\tthree")).toBe("one two three");
});

it("keeps letters of any script and joined emoji", () => {
  const text = "Grüße, 你好, می‌خواهم, 👩‍💻";
  expect(printable(text)).toBe(text);
});

it("escapes the same in JSON without changing its value", () => {
  const json = printableJson({ [nasty]: nasty });
  expect(JSON.parse(json)).toEqual({ [nasty]: nasty });
  expect(json.replaceAll("\n", "")).toMatch(/^[ -~]*$/);
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Output of a line that is shown every 50 ms for six seconds. */
function written({ isStderrTTY, isShown = true }: { isStderrTTY: boolean; isShown?: boolean }): string {
  const stderr = new PassThrough();
  const io = { stdin: Readable.from([]), stdout: new PassThrough(), stderr, isTTY: false, isStderrTTY };
  const line = new ProgressLine({ ...io, environment: environment() }, { isShown });
  for (let done = 1; done <= 120; done++) {
    vi.advanceTimersByTime(50);
    line.show("Importing", { done: done * 1_000, wanted: 120_000 });
  }
  line.end();
  return String(stderr.read() ?? "");
}

it("redraws one line on a terminal, and clears it at the end", () => {
  const text = written({ isStderrTTY: true });
  expect(text.startsWith("\r\u001b[KImporting: 2,000 of 120,000\r\u001b[KImporting: 4,000 of 120,000")).toBe(
    true,
  );
  expect(text.endsWith("Importing: 120,000 of 120,000\r\u001b[K")).toBe(true);
  expect(text).not.toContain("\n");
});

it("writes a line every five seconds elsewhere", () => {
  expect(written({ isStderrTTY: false })).toBe("Importing: 100,000 of 120,000\n");
});

it("writes nothing if progress is not shown", () => {
  expect(written({ isStderrTTY: true, isShown: false })).toBe("");
});
