import { counted, countText } from "../../../components/ui/count-text.ts";
import { durationText } from "../../../components/ui/duration-text.ts";
import type { EdgeDictionary, EdgeReply, LimitedClient } from "../../../lib/queries/edge.ts";

/** Why nobody is turned away, although some come too often; nothing when they are. */
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
  off: "nobody is turned away, because the edge is switched off",
  shadow: "nobody is turned away, because the mode is shadow",
  "mode-off": "nobody is turned away, because the mode is off",
};

/** What keeps edges from following, although they should; nothing when all do. */
export function lapseOf({ isStale, last }: EdgeReply): string | undefined {
  const dictionaries = last?.dictionaries ?? [];
  const troubled = dictionaries.filter(({ trouble }) => trouble !== null).length;
  if (isStale) return "nobody sweeps";
  return troubled > 0 ? `trouble at ${troubled} of ${counted(dictionaries.length, "edge")}` : undefined;
}

/** How many, and if nobody is, why. */
export function sayLimited(edge: EdgeReply): string {
  const why = hindranceOf(edge);
  const { limited } = edge;
  if (why !== undefined)
    return limited === 0
      ? hindrances[why]
      : `${hindrances[why]}: ${sayClients(limited)} would be turned away`;
  const lapse = lapseOf(edge);
  if (lapse !== undefined)
    return limited === 0 ? lapse : `${lapse}: ${sayClients(limited)} should be turned away`;
  return limited === 0 ? "nobody is turned away now" : `${sayClients(limited)} turned away`;
}

/** Before it is done: what switching comes to. */
export function saySwitching(edge: EdgeReply): {
  readonly title: string;
  readonly effect: string;
  readonly verb: string;
} {
  const { isOn, limited } = edge;
  const isFelt = limited > 0 && hindranceOf({ ...edge, isOn: true }) === undefined;
  if (isOn)
    return {
      title: "Switch the edge off?",
      effect: `${isFelt ? `Lets in the ${countText(limited)} who are turned away now, at every edge within one sweep.` : "Nobody is turned away now, and nobody will be."} Rules and lists of the fleet go on. Only an admin can switch it on again.`,
      verb: isFelt ? `Switch off and let in ${countText(limited)}` : "Switch off",
    };
  return {
    title: "Switch the edge on?",
    effect: isFelt
      ? `Turns away the ${countText(limited)} who came too often lately, at every edge within one sweep.`
      : `Whoever comes too often from now on is turned away${hindranceOf({ ...edge, isOn: true }) ? ", as soon as nothing else stands against it" : ""}.`,
    verb: isFelt ? `Switch on and turn away ${countText(limited)}` : "Switch on",
  };
}

/** What comes of letting somebody in. */
export function sayLettingIn(edge: EdgeReply): string {
  if (hindranceOf(edge) !== undefined) return "What they did until now no longer counts.";
  return lapseOf(edge) === undefined
    ? "Each edge lets them in within one sweep, about a second."
    : "Each edge lets them in as soon as it follows again.";
}

export const sayClients = (count: number) => counted(count, "client");

/** "GET shop.example.org/login"; of a tool, everything. */
export function sayWhat({ host, path, method }: LimitedClient): string {
  return host === undefined ? "everything" : `${method} ${host}${path}`;
}

interface Look {
  readonly tone: "pass" | "throttled" | "blocked" | "plain";
  readonly word: string;
}

/** How a dictionary stands, in a word. */
export function lookOf({ actual, behindSince, trouble }: EdgeDictionary, now: number): Look {
  const since = behindSince === null ? "" : ` for ${durationText(Math.max(1_000, now - behindSince))}`;
  if (trouble !== null) return { tone: "blocked", word: `Trouble${since}` };
  if (behindSince !== null) return { tone: "throttled", word: `Behind${since}` };
  return actual === null ? { tone: "plain", word: "Not read yet" } : { tone: "pass", word: "As wished" };
}

/** How many fit, and who they are when that is too few. */
export function sayRoom({ capacity }: EdgeDictionary, found: number): string {
  if (found <= capacity) return `${countText(capacity)} fit`;
  return `${countText(capacity)} of ${countText(found)} fit: the worst are there`;
}
