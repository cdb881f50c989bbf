import { type Changes, type Dictionary, EdgeError } from "./dictionary.ts";
import { askHaproxy } from "./haproxy-line.ts";
import { isKey } from "./key.ts";

export interface HaproxySettings {
  /** The stats socket, of level admin: a path, or host and port. */
  readonly socket: string;
  /** The map's file, as HAProxy's configuration writes it. */
  readonly map: string;
  readonly capacity?: number;
}

type Ask = (command: string) => Promise<string>;

const defaultCapacity = 1_000;
/** A command must fit into HAProxy's buffer, 16 kB unless somebody made it smaller. */
const keysACommand = 250;

/** HAProxy with `deploy/haproxy.cfg`. Its map is in memory alone: after a start of HAProxy it is filled again. */
export function haproxyDictionary({ socket, map, capacity = defaultCapacity }: HaproxySettings): Dictionary {
  let open = new AbortController();
  const ask: Ask = (command) => askHaproxy(socket, command, open.signal);
  const name = map.replace(/[\\ ;]/g, "\\$&");
  return {
    kind: "haproxy",
    name: `haproxy ${socket}`,
    capacity,
    // The map is replaced as a whole.
    changesACall: Number.POSITIVE_INFINITY,
    lookEveryMs: 5_000,
    async read(askLeave) {
      await askLeave();
      return readMap(ask, name);
    },
    async change(changes, askLeave) {
      await askLeave();
      await replace(ask, name, changes);
    },
    close() {
      open.abort();
      open = new AbortController();
    },
  };
}

/** Who looks meanwhile finds the map as it was, and then all of the new one. */
async function replace(ask: Ask, map: string, { add, remove }: Changes): Promise<void> {
  const there = await readMap(ask, map);
  const keys = new Set(there);
  for (const key of remove) keys.delete(key);
  for (const key of add) if (isKey(key)) keys.add(key);
  const version = /^New version created: (\d+)$/.exec(await ask(`prepare map ${map}`))?.[1];
  if (version === undefined) throw new EdgeError(`HAProxy does not prepare another version of ${map}.`);
  try {
    for (const some of chunks([...keys]))
      await silently(ask, `add map @${version} ${map} <<\n${some.map((key) => `${key} true\n`).join("")}`);
    await silently(ask, `commit map @${version} ${map}`);
  } catch (error) {
    // What nobody looks at takes room all the same.
    await ask(`clear map @${version} ${map}`).catch(() => {});
    throw error;
  }
}

/** Lines of "0x55… <key> true". */
async function readMap(ask: Ask, map: string): Promise<Set<string>> {
  const text = await ask(`show map ${map}`);
  const rows = text === "" ? [] : text.split("\n").map((row) => row.split(" "));
  if (rows.some(([pointer = ""]) => !pointer.startsWith("0x"))) throw refusal(text, map);
  return new Set(rows.map(([, key = ""]) => key).filter(isKey));
}

/** HAProxy says nothing to what it does. */
async function silently(ask: Ask, command: string): Promise<void> {
  const words = await ask(command);
  if (words !== "") throw refusal(words, "");
}

function refusal(words: string, map: string): EdgeError {
  if (words.startsWith("Permission denied"))
    return new EdgeError("HAProxy does not let Sluice change maps: its stats socket needs level admin.");
  if (words.startsWith("Unknown map"))
    return new EdgeError(`HAProxy knows no map ${map}: write it as its configuration does.`);
  return new EdgeError(`HAProxy refuses: ${words.split("\n", 1)[0]?.slice(0, 200)}`);
}

function chunks(keys: readonly string[]): string[][] {
  const count = Math.ceil(keys.length / keysACommand);
  return Array.from({ length: count }, (_, i) => keys.slice(i * keysACommand, (i + 1) * keysACommand));
}
