import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import { testLog } from "../audit/vitest.log.ts";
import { alarmSecrets } from "./alarm-secrets.ts";
import { type AlarmContext, addDestination, type NewDestination } from "./change-destination.ts";
import { mostDestinations } from "./destination.ts";
import { postMessage } from "./post-message.ts";

const log = testLog();
const ctx = (more: Partial<AlarmContext> = {}): AlarmContext => ({
  ...{
    ...log.signed(),
    secrets: alarmSecrets("a secret that Redis never sees"),
    allowsPrivate: false,
    hasMail: true,
  },
  ...more,
});
const good: NewDestination = {
  ...{ name: "On-call", kind: "webhook", to: "https://events.example.com/v2?key=abc", alarms: ["attack"] },
};
const add = (given: Partial<NewDestination>, more: Partial<AlarmContext> = {}) =>
  addDestination(ctx(more), { ...good, ...given });

describe("a destination", () => {
  it.each<[string, Partial<NewDestination>, Partial<AlarmContext>]>([
    ["without https", { to: "http://events.example.com/" }, {}],
    ["of another scheme", { to: "file:///etc/passwd" }, { allowsPrivate: true }],
    ["with a password", { to: "https://ada:secret@events.example.com/" }, {}],
    ["that is no URL", { to: "on-call" }, {}],
    ["without a name", { name: " " }, {}],
    ["with a name that is too long", { name: "x".repeat(41) }, {}],
    ["without a kind of alarm", { alarms: [] }, {}],
    ["of ntfy without a topic", { kind: "ntfy", to: "https://ntfy.example.com/" }, {}],
    ["with a token of two lines", { kind: "ntfy", to: "https://ntfy.example.com/x", token: "a\r\nb: c" }, {}],
    ["of email without a mail server", { kind: "email", to: "ops@example.com" }, { hasMail: false }],
    ["of email with a header", { kind: "email", to: "ops@example.com\nBcc:x@example.com" }, {}],
    ["of email without an address", { kind: "email", to: "ops" }, {}],
  ])("%s is refused, and nothing is written", async (_, given, more) => {
    await expect(add(given, more)).rejects.toThrow(DomainError);
    expect(await log.client.exists(keys.alarmDestinations(), keys.alarmSecrets(), keys.audit())).toBe(0);
  });

  it("is shown without what would let others send", async () => {
    const shown = async (given: Partial<NewDestination>) => (await add(given)).destination.shown;
    expect(await shown({})).toBe("https://events.example.com/v2");
    expect(await shown({ name: "a", kind: "slack", to: "https://hooks.slack.example/services/T0/B04" })).toBe(
      "hooks.slack.example/…B04",
    );
    expect(await shown({ name: "b", kind: "email", to: "ops@example.com, sec@example.com" })).toBe(
      "ops@example.com, sec@example.com",
    );
  });

  it("has a name of its own, and there are a bounded number", async () => {
    for (let i = 0; i < mostDestinations; i++) await add({ name: `On-call ${i}` });
    await expect(add({ name: "on-CALL 3" })).rejects.toThrow("already");
    await expect(add({ name: "one more" })).rejects.toThrow("Remove one first");
  });
});

describe("a message", () => {
  const message = (url: string) => ({ url: new URL(url), headers: {}, body: "{}" });

  it.each([
    "127.0.0.1",
    "localhost",
    "[::1]",
    "10.0.0.1",
    "169.254.169.254",
    "[fd00::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
  ])("goes to no private address: %s", async (host) => {
    const outcome = await postMessage(message(`https://${host}:9/`), { allowsPrivate: false });
    expect(outcome).toMatchObject({
      is: "failed",
      failure: expect.stringContaining("public addresses alone"),
    });
  });

  it("that was cut off may have arrived; one without a connection has not", async () => {
    const server = createServer((socket) => socket.on("data", () => socket.destroy())).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const post = () => postMessage(message(`http://127.0.0.1:${port}/`), { allowsPrivate: true });
    expect(await post()).toMatchObject({ is: "failed", mayHaveArrived: true });
    await new Promise((resolve) => server.close(resolve));
    expect(await post()).toMatchObject({ is: "failed", mayHaveArrived: false });
  });
});
