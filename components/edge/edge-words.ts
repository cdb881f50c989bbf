import { counted, countText, durationText } from "@/components/ui/value-text.ts";
import type { EdgeDictionary, EdgeReply, LimitedClient } from "@/lib/queries/edge.ts";

/** Why no client is denied although some exceed the limit. Undefined if they are denied. */
export type Hindrance = "unconnected" | "off" | "shadow" | "mode-off";

export function hindranceOf({ isOn, mode, last, isNamed, problem }: EdgeReply): Hindrance | undefined {
  const isExpected = isNamed && problem === null;
  if (!isExpected && (last?.dictionaries.length ?? 0) === 0) return "unconnected";
  if (!isOn) return "off";
  if (mode === "shadow") return "shadow";
  return mode === "off" ? "mode-off" : undefined;
}

const hindrances: Readonly<Record<Hindrance, string>> = {
  unconnected: "no edge is connected",
  off: "no client is denied, because the edge is off",
  shadow: "no client is denied, because the mode is shadow",
  "mode-off": "no client is denied, because the mode is off",
};

/** Why edges are not in sync. Undefined if all are. */
export function lapseOf({ isStale, last }: EdgeReply): string | undefined {
  const dictionaries = last?.dictionaries ?? [];
  const troubled = dictionaries.filter(({ trouble }) => trouble !== null).length;
  if (isStale) return "edge sync is stopped";
  return troubled > 0 ? `sync fails at ${troubled} of ${counted(dictionaries.length, "edge")}` : undefined;
}

/** Number of denied clients, or why none is. */
export function sayLimited(edge: EdgeReply): string {
  const why = hindranceOf(edge);
  const { limited } = edge;
  if (why !== undefined)
    return limited === 0 ? hindrances[why] : `${hindrances[why]}: ${sayClients(limited)} would be denied`;
  const lapse = lapseOf(edge);
  if (lapse !== undefined) return limited === 0 ? lapse : `${lapse}: ${sayClients(limited)} should be denied`;
  return limited === 0 ? "no client is denied now" : `${sayClients(limited)} denied`;
}

/** Effect of switching, for the dialog. */
export function saySwitching(edge: EdgeReply) {
  const { isOn, limited } = edge;
  const isFelt = limited > 0 && hindranceOf({ ...edge, isOn: true }) === undefined;
  if (isOn)
    return {
      title: "Switch the edge off?",
      effect: `${isFelt ? `Lets in the ${countText(limited)} clients that are denied now. Each edge follows in about 1 s.` : "No client is denied now. No client will be denied while the edge is off."} Rules and lists stay enforced in the fleet. Only an admin can switch it on again.`,
      verb: isFelt ? `Switch off and let in ${countText(limited)}` : "Switch off",
    };
  return {
    title: "Switch the edge on?",
    effect: isFelt
      ? `Denies the ${countText(limited)} clients that were recently over the limit. Each edge follows in about 1 s.`
      : `Denies clients that exceed the edge limit from now on${hindranceOf({ ...edge, isOn: true }) ? ", once an edge is connected and the mode is enforce" : ""}.`,
    verb: isFelt ? `Switch on and deny ${countText(limited)}` : "Switch on",
  };
}

/** Effect of letting clients in. */
export function sayLettingIn(edge: EdgeReply): string {
  if (hindranceOf(edge) !== undefined) return "Their earlier requests no longer count.";
  return lapseOf(edge) === undefined
    ? "Each edge lets them in within about 1 s."
    : "Each edge lets them in as soon as it is in sync again.";
}

export const sayClients = (count: number) => counted(count, "client");

/** "GET shop.example.org/login"; of a tool, all requests. */
export function sayWhat({ host, path, method }: LimitedClient): string {
  return host === undefined ? "all requests" : `${method} ${host}${path}`;
}

interface Look {
  readonly tone: "pass" | "throttled" | "blocked" | "plain";
  readonly word: string;
}

/** State of a dictionary in a word. */
export function lookOf({ actual, behindSince, trouble }: EdgeDictionary, now: number): Look {
  const since = behindSince === null ? "" : ` for ${durationText(Math.max(1_000, now - behindSince))}`;
  if (trouble !== null) return { tone: "blocked", word: `Sync failing${since}` };
  if (behindSince !== null) return { tone: "throttled", word: `Behind${since}` };
  return actual === null ? { tone: "plain", word: "Not read yet" } : { tone: "pass", word: "In sync" };
}

/** How many fit, and which if not all do. */
export function sayRoom({ capacity }: EdgeDictionary, found: number): string {
  if (found <= capacity) return `${countText(capacity)} fit`;
  return `${countText(capacity)} of ${countText(found)} fit: the clients with the most requests`;
}
