import { expect, it } from "vitest";
import { deliveryOf } from "./delivery.ts";
import type { DestinationSecret } from "./destination.ts";
import type { Incident } from "./incident.ts";
import type { DestinationKind } from "./kinds.ts";
import { postOf, textOf } from "./message.ts";
import { signatureOf } from "./signature.ts";

const openedAt = Date.UTC(2026, 10, 18, 14, 22);
const incident: Incident = {
  ...{
    id: "i1",
    kind: "attack",
    cause: "attack shop",
    title: "Attack on *shop*",
    path: "/offenders?app=shop",
    grade: 1,
  },
  ...{ lines: [{ at: openedAt, text: "11 clients of <AS64500> & others [x](y)" }], leftOut: 2, openedAt },
  ...{ changedAt: openedAt, endedAt: null, isOfEvents: false, hasNews: false, quietUntil: 0, said: "opened" },
};
const delivery = deliveryOf(incident, { id: "d1", destination: "x", event: "opened", now: openedAt });

function post(kind: Exclude<DestinationKind, "email">, secret: DestinationSecret, isInDoubt = false) {
  const message = {
    delivery: { ...delivery, isInDoubt },
    sentAt: openedAt,
    publicUrl: "https://sluice.example.org/",
  };
  const { url, headers, body } = postOf(kind, secret, message);
  return { url: url.href, headers, body: JSON.parse(body) };
}

it("is signed for a webhook, with a time and an id", () => {
  const { url, headers, body } = post("webhook", {
    url: "https://events.example.com/v2?x=1",
    signingKey: "whs_k",
  });
  expect(url).toBe("https://events.example.com/v2?x=1");
  expect(headers).toMatchObject({
    "x-sluice-delivery": "d1",
    "x-sluice-timestamp": "1795011720",
    "x-sluice-signature": signatureOf("whs_k", 1_795_011_720, JSON.stringify(body)),
  });
  expect(body).toEqual({
    ...{ id: "d1", event: "opened", attempt: 0, isRepeat: false, sentAt: "2026-11-18T14:22:00.000Z" },
    incident: {
      ...{ id: "i1", kind: "attack", title: "Attack on *shop*", state: "open" },
      ...{ openedAt: "2026-11-18T14:22:00.000Z", endedAt: null, linesLeftOut: 2 },
      lines: [{ at: "2026-11-18T14:22:00.000Z", text: "11 clients of <AS64500> & others [x](y)" }],
      url: "https://sluice.example.org/offenders?app=shop",
    },
  });
});

it("has a signature that another program can compute", () => {
  // printf '1.{}' | openssl dgst -sha256 -hmac key
  expect(signatureOf("key", 1, "{}")).toBe(
    "v1=1ba6b8171186efc613e8bcc0cbdab2748f24984d7c5a84faa2637afa0e40d224",
  );
});

it("cannot put markup of its own into a chat", () => {
  const slack = post("slack", { url: "https://hooks.slack.example/services/T/B/x" }, true);
  expect(slack.body.text.split("\n")).toEqual([
    "*Attack on ∗shop∗*",
    "14:22 UTC 11 clients of &lt;AS64500&gt; &amp; others [x](y)",
    "2 more lines are in the console",
    "This message may be a repeat of an earlier one",
    "<https://sluice.example.org/offenders?app=shop|Open in Sluice>",
  ]);
  const [{ content }] = post("teams", { url: "https://teams.example.com/hook" }).body.attachments;
  expect(content.body[1].text).toBe("14:22 UTC 11 clients of <AS64500> & others \\[x\\](y)");
  expect(content.actions).toEqual([
    { type: "Action.OpenUrl", title: "Open in Sluice", url: "https://sluice.example.org/offenders?app=shop" },
  ]);
});

it("cannot add lines of its own, which would look like another alarm", () => {
  const spoofed = {
    ...{ ...incident, title: "Request: change x\nAttack on shop" },
    lines: [{ at: openedAt, text: "vera asks: x\u2028\r\n14:23 UTC Approved" }],
  };
  const made = deliveryOf(spoofed, { id: "d1", destination: "x", event: "opened", now: openedAt });
  const { title, lines } = textOf({ delivery: made, sentAt: openedAt, publicUrl: undefined });
  expect([title, lines[0]]).toEqual([
    "Request: change x Attack on shop",
    "14:22 UTC vera asks: x 14:23 UTC Approved",
  ]);
});

it("goes to the topic of ntfy, with its token", () => {
  const { url, headers, body } = post("ntfy", {
    url: "https://ntfy.example.com/push/on-call/",
    token: "tk_1",
  });
  expect([url, headers.authorization]).toEqual(["https://ntfy.example.com/push/", "Bearer tk_1"]);
  expect(body).toMatchObject({ topic: "on-call", title: "Attack on *shop*", priority: 4 });
});
