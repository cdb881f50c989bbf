import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, it } from "vitest";
import { testDelivery } from "../../manage/alarms/delivery.ts";
import { sendMail } from "./send-mail.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A mail server that takes one message a connection. @param answer to the recipient */
async function startMailServer(answer = "250 ok") {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let isData = false;
    let text = "";
    socket.write("220 mail\r\n");
    socket.on("data", (chunk) => {
      text += chunk;
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (isData) {
          if (line !== ".") mails[mails.length - 1] += `${line}\n`;
          else {
            isData = false;
            socket.write("250 queued\r\n");
          }
        } else if (line === "DATA") {
          isData = true;
          mails.push("");
          socket.write("354 go\r\n");
        } else
          socket.write(`${line.startsWith("RCPT") ? answer : line === "QUIT" ? "221 bye" : "250 ok"}\r\n`);
      }
    });
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { mails, settings: { smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: "sluice@example.org" } };
}

const message = { delivery: testDelivery("d1", "x", 0), sentAt: 0, publicUrl: "https://sluice.example.org" };
const to = { to: ["ops@example.com", "sec@example.com"] };

it("is one text, with the id of the message", async () => {
  const { mails, settings } = await startMailServer();
  expect(await sendMail(to, message, settings)).toEqual({ is: "arrived" });
  expect(mails.length).toBe(1);
  for (const line of [
    "To: ops@example.com, sec@example.com",
    "Subject: [Sluice] Test message of Sluice",
    "Message-ID: <d1@sluice>",
    "00:00 UTC If you can read this, the destination works.",
    "https://sluice.example.org/alarms",
  ])
    expect(mails[0]).toContain(line);
});

it("that the server refuses is refused; one for a later time, and a server that is away, are not", async () => {
  const refused = await startMailServer("550 no such user");
  expect(await sendMail(to, message, refused.settings)).toMatchObject({ is: "failed", isRefused: true });
  const busy = await startMailServer("450 later");
  expect(await sendMail(to, message, busy.settings)).toMatchObject({ is: "failed", isRefused: false });
  const away = { smtpUrl: "smtp://127.0.0.1:9", mailFrom: "sluice@example.org" };
  expect(await sendMail(to, message, away)).toMatchObject({
    is: "failed",
    isRefused: false,
    mayHaveArrived: false,
  });
  const none = { smtpUrl: undefined, mailFrom: undefined };
  expect(await sendMail(to, message, none)).toMatchObject({ is: "failed", isRefused: true });
});
