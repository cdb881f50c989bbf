import { randomBytes } from "node:crypto";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import type { SecretBox } from "../outbound/secret-box.ts";
import {
  type Destination,
  type DestinationSecret,
  destinationsIn,
  mostDestinations,
  requireDestination,
  topicOf,
  writeDestination,
} from "./destination.ts";
import type { AlarmKind, DestinationKind } from "./kinds.ts";

/** What verbs of alarms take. */
export interface AlarmContext extends Signed {
  readonly secrets: SecretBox;
  /** Destinations may be on this machine and in private networks, also without https. */
  readonly allowsPrivate: boolean;
  /** A mail server is set up. */
  readonly hasMail: boolean;
}

export interface NewDestination {
  readonly name: string;
  readonly kind: DestinationKind;
  /** A URL; of email, one or more addresses. */
  readonly to: string;
  readonly alarms: readonly AlarmKind[];
  /** Access token of ntfy. */
  readonly token?: string | undefined;
}

/** A new destination. The signing key of a webhook is shown this once. */
export interface AddedDestination {
  readonly destination: Destination;
  readonly signingKey: string | null;
}

/** Adds a destination. Its URL, token and signing key are kept encrypted, and none is shown again. */
export async function addDestination(ctx: AlarmContext, given: NewDestination): Promise<AddedDestination> {
  const name = given.name.trim();
  refuse("name", /^[\p{L}\p{N}#@.][\p{L}\p{N}#@._ -]{0,39}$/u.test(name) ? undefined : nameRule);
  refuse("alarms", given.alarms.length > 0 ? undefined : "Choose at least one kind of alarm");
  const { secret, shown } = secretOf(ctx, given);
  const id = randomBytes(6).toString("hex");
  const { decision } = await commit(ctx, {
    ...{ action: "alarm.add", reason: "" },
    slots: [
      { key: keys.alarmDestinations(), field: id, target: name },
      { key: keys.alarmSecrets(), field: id, target: name, isAside: true },
    ],
    hashes: [keys.alarmDestinations()],
    decide({ now, hashes }) {
      requireRoom(destinationsIn(at(hashes, 0)), name);
      const destination: Destination = {
        ...{ id, name, kind: given.kind, shown, alarms: [...new Set(given.alarms)], isOn: true },
        ...{ by: ctx.actor.name, at: new Date(now).toISOString() },
      };
      const sealed = ctx.secrets.encrypt(id, JSON.stringify(secret));
      return {
        destination,
        writes: [
          { slot: 0, to: { value: writeDestination(destination), expiresAt: null } },
          { slot: 1, to: { value: sealed, expiresAt: null } },
        ],
      };
    },
  });
  return { destination: decision.destination, signingKey: secret.signingKey ?? null };
}

const nameRule = "A name has letters, digits, spaces and # @ . _ - only, at most 40";

function requireRoom(all: readonly Destination[], name: string): void {
  const isTaken = all.some((one) => one.name.toLowerCase() === name.toLowerCase());
  refuse("name", isTaken ? `There is a destination named ${name} already` : undefined);
  refuse(
    "name",
    all.length >= mostDestinations
      ? `There are ${mostDestinations} destinations. Remove one first`
      : undefined,
  );
}

function secretOf(
  ctx: AlarmContext,
  { kind, to, token }: NewDestination,
): { readonly secret: DestinationSecret; readonly shown: string } {
  if (kind === "email") return mailOf(ctx, to);
  const url = urlOf(ctx, to.trim());
  const shown = shownOf(kind, url);
  if (kind === "webhook")
    return { secret: { url: url.href, signingKey: `whs_${randomBytes(32).toString("base64url")}` }, shown };
  const isToken = token === undefined || /^[\x21-\x7e]{1,200}$/.test(token);
  refuse("token", isToken ? undefined : "An access token has no spaces, and at most 200 characters");
  refuse("to", kind !== "ntfy" || topicOf(url) !== "" ? undefined : "The URL of ntfy ends with the topic");
  return { secret: { url: url.href, ...(kind === "ntfy" && token && { token }) }, shown };
}

function mailOf({ hasMail }: AlarmContext, text: string) {
  refuse("kind", hasMail ? undefined : "Email needs a mail server: set SLUICE_SMTP_URL and SLUICE_MAIL_FROM");
  const to = text.split(/[\s,;]+/).filter((one) => one !== "");
  const areGood = to.length > 0 && to.length <= 10 && to.every((one) => one.length <= 200 && isMail(one));
  refuse("to", areGood ? undefined : "Write one to ten email addresses");
  return { secret: { to }, shown: to.join(", ") };
}

const isMail = (text: string): boolean => /^[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/.test(text);

function urlOf({ allowsPrivate }: AlarmContext, text: string): URL {
  const url = URL.canParse(text) && text.length <= 2_000 ? new URL(text) : undefined;
  const isGood = url?.protocol === "https:" || (allowsPrivate && url?.protocol === "http:");
  refuse("to", isGood ? undefined : "Write a URL that begins with https://");
  refuse("to", url?.username || url?.password ? "The URL has a password. Leave it out" : undefined);
  // Refused above.
  if (!url) throw new DomainError("bad-input", "Write a URL.");
  return url;
}

/** The path of Slack's and Teams' URLs, and the topic of ntfy, are secrets: who knows them can send. */
function shownOf(kind: DestinationKind, url: URL): string {
  if (kind === "webhook") return `${url.origin}${url.pathname}`;
  return `${url.host}/…${url.pathname.slice(-3)}`;
}

export interface DestinationChange {
  readonly isOn?: boolean | undefined;
  readonly alarms?: readonly AlarmKind[] | undefined;
}

/** Switches a destination on or off, or chooses the kinds of alarms that it gets. */
export async function changeDestination(
  ctx: Signed,
  { id: named, isOn, alarms }: DestinationChange & { readonly id: string },
): Promise<Destination> {
  refuse("alarms", alarms?.length === 0 ? "Choose at least one kind of alarm" : undefined);
  const { id, name } = await requireDestination(ctx.redis, named);
  const { decision } = await commit(ctx, {
    ...{ action: "alarm.change", reason: "" },
    slots: [{ key: keys.alarmDestinations(), field: id, target: name }],
    decide({ slots }) {
      const [before] = destinationsIn([[id, at(slots, 0).value]]);
      if (!before) throw new DomainError("not-found", `There is no destination ${name}.`);
      const after = { ...before, isOn: isOn ?? before.isOn, alarms: [...(alarms ?? before.alarms)] };
      const value = writeDestination(after);
      const writes = value === at(slots, 0).value ? [] : [{ slot: 0, to: { value, expiresAt: null } }];
      return { destination: after, writes };
    },
  });
  return decision.destination;
}

/** Removes a destination. Messages that wait for it are dropped. */
export async function removeDestination(ctx: Signed, { id: named }: { readonly id: string }): Promise<void> {
  const { id, name } = await requireDestination(ctx.redis, named);
  await commit(ctx, {
    ...{ action: "alarm.remove", reason: "" },
    slots: [
      { key: keys.alarmDestinations(), field: id, target: name },
      { key: keys.alarmSecrets(), field: id, target: name, isAside: true },
    ],
    decide({ slots }) {
      if (at(slots, 0).kind === "none")
        throw new DomainError("not-found", `There is no destination ${name}.`);
      const hasSecret = at(slots, 1).kind !== "none";
      return { writes: [{ slot: 0, to: null }, ...(hasSecret ? [{ slot: 1, to: null }] : [])] };
    },
  });
}

function refuse(field: string, problem: string | undefined): void {
  if (problem !== undefined) throw new DomainError("bad-input", `${problem}.`, { [field]: problem });
}
