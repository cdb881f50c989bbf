import type { Delivery } from "./delivery.ts";
import { type DestinationSecret, topicOf } from "./destination.ts";
import type { DestinationKind } from "./kinds.ts";
import { signatureOf } from "./signature.ts";

/** A message that is about to be sent. */
export interface OutgoingMessage {
  readonly delivery: Delivery;
  /** Ms */
  readonly sentAt: number;
  /** Where browsers reach the console. Undefined if it is not set up: then messages have no link. */
  readonly publicUrl: string | undefined;
}

export interface PostedMessage {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A message as text: its subject, and its lines. */
export function textOf({ delivery, publicUrl }: OutgoingMessage) {
  const { incident, event, isInDoubt } = delivery;
  const { title, lines, leftOut, openedAt, endedAt } = incident;
  const words = { opened: "", updated: "Update: ", ended: "Ended: ", test: "" } as const;
  const said = lines.map(({ at, text }) => `${timeOf(at)} ${inOneLine(text)}`);
  const left = leftOut > 0 ? [`${leftOut} more lines are in the console`] : [];
  return {
    title: inOneLine(`${words[event]}${title}`),
    lines: [...said, ...left, ...(isInDoubt ? ["This message may be a repeat of an earlier one"] : [])],
    since: openedAt,
    until: endedAt,
    link: linkOf(publicUrl, incident.path),
  };
}

/** A reason may have several lines, and one of them may look like another alarm. */
const inOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;

function linkOf(publicUrl: string | undefined, path: string): string | undefined {
  if (publicUrl === undefined || !URL.canParse(path, publicUrl)) return undefined;
  return new URL(path, publicUrl).href;
}

/** The request that brings a message to a destination. */
export function postOf(
  kind: Exclude<DestinationKind, "email">,
  secret: DestinationSecret,
  message: OutgoingMessage,
): PostedMessage {
  const url = new URL(secret.url ?? "");
  const json = { "content-type": "application/json", "user-agent": "sluice" };
  if (kind === "slack") return { url, headers: json, body: JSON.stringify(slackBody(message)) };
  if (kind === "teams") return { url, headers: json, body: JSON.stringify(teamsBody(message)) };
  if (kind === "ntfy") {
    const access = secret.token === undefined ? {} : { authorization: `Bearer ${secret.token}` };
    const body = JSON.stringify(ntfyBody(topicOf(url), message));
    return { url: ntfyServer(url), headers: { ...json, ...access }, body };
  }
  const body = JSON.stringify(webhookBody(message));
  const timestamp = Math.floor(message.sentAt / 1_000);
  return {
    url,
    headers: {
      ...json,
      "x-sluice-delivery": message.delivery.id,
      "x-sluice-timestamp": String(timestamp),
      "x-sluice-signature": signatureOf(secret.signingKey ?? "", timestamp, body),
    },
    body,
  };
}

function webhookBody({ delivery, sentAt, publicUrl }: OutgoingMessage) {
  const { id, event, tries, isInDoubt, incident } = delivery;
  const { title, kind, lines, leftOut, openedAt, endedAt, path } = incident;
  return {
    ...{ id, event, attempt: tries, isRepeat: isInDoubt, sentAt: iso(sentAt) },
    incident: {
      ...{ id: incident.id, kind, title, state: endedAt === null ? "open" : "ended" },
      ...{ openedAt: iso(openedAt), endedAt: endedAt === null ? null : iso(endedAt) },
      lines: lines.map(({ at, text }) => ({ at: iso(at), text })),
      ...{ linesLeftOut: leftOut, url: linkOf(publicUrl, path) ?? null },
    },
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

function slackBody(message: OutgoingMessage) {
  const { title, lines, link } = textOf(message);
  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const linked = link === undefined ? [] : [`<${link}|Open in Sluice>`];
  const text = [`*${escaped(title).replaceAll("*", "∗")}*`, ...lines.map(escaped), ...linked].join("\n");
  return { text, unfurl_links: false };
}

function teamsBody(message: OutgoingMessage) {
  const { title, lines, link } = textOf(message);
  const block = (text: string, more: object = {}) => ({ type: "TextBlock", text, wrap: true, ...more });
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    ...{ type: "AdaptiveCard", version: "1.4" },
    body: [
      block(escapeMarkdown(title), { weight: "Bolder", size: "Medium" }),
      ...lines.map((text) => block(escapeMarkdown(text), { spacing: "Small" })),
    ],
    ...(link !== undefined && {
      actions: [{ type: "Action.OpenUrl", title: "Open in Sluice", url: link }],
    }),
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }],
  };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]]/g, "\\$&");
}

function ntfyServer(url: URL): URL {
  const server = new URL(url);
  const topic = topicOf(url);
  server.pathname = url.pathname.slice(0, url.pathname.lastIndexOf(topic));
  server.search = "";
  return server;
}

function ntfyBody(topic: string, message: OutgoingMessage) {
  const { title, lines, link } = textOf(message);
  const { event } = message.delivery;
  return {
    ...{
      topic,
      title,
      message: lines.join("\n"),
      tags: [event === "ended" ? "white_check_mark" : "rotating_light"],
    },
    ...{ priority: event === "opened" ? 4 : 3, ...(link !== undefined && { click: link }) },
  };
}
