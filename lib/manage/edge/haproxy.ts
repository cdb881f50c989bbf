import { at } from "../../at.ts";
import { isKey } from "../../enforce/policy/fingerprint.ts";
import { type Changes, type Dictionary, EdgeError } from "./dictionary.ts";
import { askHaproxy } from "./haproxy-line.ts";

export interface HaproxySettings {
  /** The stats socket, of level admin: a path, or host and port. */
  readonly socket: string;
  /** File of the map, as HAProxy's configuration names it. */
  readonly map: string;
  readonly capacity?: number;
}

type Send = (command: string) => Promise<string>;

const defaultCapacity = 1_000;
/** A command must fit into HAProxy's buffer, by default 16 kB. */
const keysACommand = 250;

/** HAProxy with `deploy/haproxy.cfg`. Its map is only in memory, so it is filled again after a start of HAProxy. */
export function haproxyDictionary({ socket, map, capacity = defaultCapacity }: HaproxySettings): Dictionary {
  let open = new AbortController();
  const send: Send = (command) => askHaproxy(socket, command, open.signal);
  const name = map.replace(/[\\ ;]/g, "\\$&");
  return {
    kind: "haproxy",
    name: `haproxy ${socket}`,
    capacity,
    // The map is replaced as a whole.
    changesACall: Number.POSITIVE_INFINITY,
    readEveryMs: 5_000,
    async read(takeCall) {
      await takeCall();
      return readMap(send, name);
    },
    async change(changes, takeCall) {
      await takeCall();
      await replace(send, name, changes);
    },
    close() {
      open.abort();
      open = new AbortController();
    },
  };
}

/** Replaces the map at once: a lookup finds either the old map or the new one. */
async function replace(send: Send, map: string, { add, remove }: Changes): Promise<void> {
  const keys = await readMap(send, map);
  for (const key of remove) keys.delete(key);
  for (const key of add) if (isKey(key)) keys.add(key);
  const version = /^New version created: (\d+)$/.exec(await send(`prepare map ${map}`))?.[1];
  if (version === undefined) throw new EdgeError(`HAProxy does not prepare a new version of ${map}.`);
  try {
    for (const some of chunks([...keys]))
      await run(send, `add map @${version} ${map} <<\n${some.map((key) => `${key} true\n`).join("")}`);
    await run(send, `commit map @${version} ${map}`);
  } catch (error) {
    // An unused version takes memory until it is cleared.
    await send(`clear map @${version} ${map}`).catch(() => {});
    throw error;
  }
}

/** Lines of "0x55… <key> true". */
async function readMap(send: Send, map: string): Promise<Set<string>> {
  const text = await send(`show map ${map}`);
  const rows = text === "" ? [] : text.split("\n");
  if (rows.some((row) => !row.startsWith("0x"))) throw refusal(text, map);
  return new Set(rows.map((row) => row.split(" ")[1] ?? "").filter(isKey));
}

/** HAProxy's reply to a successful command is empty. */
async function run(send: Send, command: string): Promise<void> {
  const reply = await send(command);
  if (reply !== "") throw refusal(reply, "");
}

function refusal(reply: string, map: string): EdgeError {
  if (reply.startsWith("Permission denied"))
    return new EdgeError("HAProxy does not let Sluice change maps. Give its stats socket level admin.");
  if (reply.startsWith("Unknown map"))
    return new EdgeError(`HAProxy has no map ${map}. Write it as its configuration does.`);
  return new EdgeError(`HAProxy refuses: ${at(reply.split("\n", 1), 0).slice(0, 200)}`);
}

function chunks(keys: readonly string[]): string[][] {
  const count = Math.ceil(keys.length / keysACommand);
  return Array.from({ length: count }, (_, i) => keys.slice(i * keysACommand, (i + 1) * keysACommand));
}
