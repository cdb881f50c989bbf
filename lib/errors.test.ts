import { expect, it } from "vitest";
import { errorLine, errorLineWithStack } from "./errors.ts";

const hash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA";

it("names the error, its command and its causes, and no argument", () => {
  const reply = Object.assign(new Error("NOPERM no permissions to run the 'hset' command"), {
    name: "ReplyError",
    command: { name: "hset", args: ["sluice:passwords", "ops@example.org", hash] },
  });
  const line = errorLine(new Error("unavailable", { cause: reply }));
  expect(line).toBe(
    "Error: unavailable; caused by ReplyError: NOPERM no permissions to run the 'hset' command (command hset)",
  );
  expect(errorLineWithStack(reply)).not.toContain("argon2id");
});

it("leaves out the arguments that Redis repeats, and the password of an address", () => {
  const unknown = new Error(
    `ERR unknown command 'HSETT', with args beginning with: 'ops@example.org' '${hash}'`,
  );
  expect(errorLine(unknown)).toBe("Error: ERR unknown command 'HSETT'");
  expect(errorLine(new Error("cannot reach redis://user:hush@10.0.0.1:6379"))).toBe(
    "Error: cannot reach redis://10.0.0.1:6379",
  );
});

it("is one line for any message, and ends a circle of causes", () => {
  const circle = new Error("one\nsluice: first admin\u2028two");
  circle.cause = circle;
  expect(errorLine(circle).split("; caused by ")).toEqual(
    Array(5).fill("Error: one sluice: first admin two"),
  );
  expect(errorLine(new Error("x".repeat(5_000))).length).toBeLessThan(320);
});

it("names only the type of a value that is not an error", () => {
  expect(errorLine({ hash })).toBe("a value of type object");
  expect(errorLine(undefined)).toBe("a value of type undefined");
  expect(errorLine("no such host")).toBe("no such host");
  expect(errorLine(Object.assign(new Error(""), { code: "ECONNREFUSED" }))).toBe("Error: ECONNREFUSED");
});

it("has the nearest frames of the stack, and none that a message imitates", () => {
  const line = errorLineWithStack(new TypeError("broken\n    at secret (stolen.ts:1:1)"));
  expect(line).toMatch(/^TypeError: broken at secret \(stolen\.ts:1:1\) at .*errors\.test\.ts:\d+:\d+\)?/);
  expect(line).not.toContain("\n");
  expect(line.match(/ at /g)?.length).toBeLessThanOrEqual(5);
});
