import type { SendOutcome } from "../../manage/alarms/delivery.ts";
import type { DestinationSecret } from "../../manage/alarms/destination.ts";
import { type OutgoingMessage, textOf } from "../../manage/alarms/message.ts";

export interface MailSettings {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
}

const withinMs = 15_000;

/** Sends a message by email. Messages of one incident are one thread. */
export async function sendMail(
  { to }: DestinationSecret,
  message: OutgoingMessage,
  { smtpUrl, mailFrom }: MailSettings,
): Promise<SendOutcome> {
  if (smtpUrl === undefined || mailFrom === undefined || to === undefined)
    return refused("No mail server is set up: set SLUICE_SMTP_URL and SLUICE_MAIL_FROM");
  // Loaded by the process that sends the first email.
  const { createTransport } = await import("nodemailer");
  const { title, lines, link } = textOf(message);
  const { id, event, incident } = message.delivery;
  const thread = `<${incident.id}@sluice>`;
  const transport = createTransport(smtpUrl, {
    connectionTimeout: withinMs,
    greetingTimeout: withinMs,
    socketTimeout: withinMs,
  } as object);
  try {
    await transport.sendMail({
      ...{ from: mailFrom, to: [...to], subject: `[Sluice] ${title}` },
      text: [...lines, ...(link === undefined ? [] : ["", link])].join("\n"),
      // A repeat has the same id, so mail servers and clients can drop it.
      messageId: `<${id}@sluice>`,
      ...(event !== "opened" && { inReplyTo: thread }),
      references: thread,
    });
    return { is: "arrived" };
  } catch (error) {
    return outcomeOf(error);
  } finally {
    transport.close();
  }
}

function outcomeOf(error: unknown): SendOutcome {
  const { responseCode = 0, command = "" } = (error ?? {}) as { responseCode?: number; command?: string };
  const cause = error instanceof Error ? error.message : String(error);
  const failure = `the mail server: ${cause}`.slice(0, 300);
  const isRefused = responseCode >= 500;
  return { is: "failed", failure, isRefused, mayHaveArrived: command === "DATA" && !isRefused };
}

const refused = (failure: string): SendOutcome => ({
  ...{ is: "failed", failure, isRefused: true, mayHaveArrived: false },
});
