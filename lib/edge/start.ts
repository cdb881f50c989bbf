import type { Environment } from "../env.ts";
import { type Cidr, type Ip, parseAddress } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { controlConnection } from "../redis/roles.ts";
import { readDictionaries } from "./dictionaries.ts";
import { Sweep } from "./sweep.ts";

/** Sweeps for as long as the process lives, or until the returned function is called. */
export function startSweep(env: Environment): () => void {
  if (env.redisUrl === undefined) return () => {};
  const sweep = sweepOf(env)(controlConnection(env.redisUrl));
  void sweep.run();
  return () => sweep.stop();
}

/** What is wrong with the settings is said before anything is done. */
export function sweepOf(env: Environment): (redis: Connection) => Sweep {
  const dictionaries = readDictionaries(env);
  return (redis) => new Sweep({ redis, dictionaries, neverBlock: readNeverBlock(env) });
}

/** What is no range is told where the console reads it. */
function readNeverBlock({ neverBlock = "" }: Environment): (Ip | Cidr)[] {
  return neverBlock.split(/[\s,]+/).flatMap((text) => {
    const range = parseAddress(text);
    return range.ok ? [range.value] : [];
  });
}
