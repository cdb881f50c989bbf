import { createHash } from "node:crypto";
import type { Connection } from "./connect.ts";

/** What a script needs of a connection. Both ioredis' Redis and its pipelines' parents satisfy it. */
export interface ScriptRunner {
  evalsha(sha: string, keyCount: number, ...keysAndArgs: (string | number | Buffer)[]): Promise<unknown>;
  eval(lua: string, keyCount: number, ...keysAndArgs: (string | number | Buffer)[]): Promise<unknown>;
}

interface Definition<Input, Raw, Reply> {
  lua: string;
  keys: (input: Input) => readonly string[];
  args?: (input: Input) => readonly (string | number)[];
  reply: (raw: Raw) => Reply;
}

export interface Script<Input, Reply> {
  run(redis: ScriptRunner, input: Input): Promise<Reply>;
}

/**
 * A Lua script with typed keys, arguments and reply. It goes by its digest; a server that has lost its scripts
 * (restart, failover, SCRIPT FLUSH) is sent the text once.
 */
export function defineScript<Input, Raw, Reply>(
  definition: Definition<Input, Raw, Reply>,
): Script<Input, Reply> {
  const sha = createHash("sha1").update(definition.lua).digest("hex");
  return {
    async run(redis, input) {
      const scriptKeys = definition.keys(input);
      const words = [...scriptKeys, ...(definition.args?.(input) ?? [])];
      const raw = await redis.evalsha(sha, scriptKeys.length, ...words).catch((error: unknown) => {
        if (!isMissingScript(error)) throw error;
        return redis.eval(definition.lua, scriptKeys.length, ...words);
      });
      // The one cast: what a script returns is known to its author alone.
      return definition.reply(raw as Raw);
    },
  };
}

function isMissingScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}

export type Pipeline = ReturnType<Connection["pipeline"]>;

/** For each command of a pipeline, in their order: its error, or its reply. */
export async function outcomesOf(pipeline: Pipeline): Promise<[error: Error | null, reply: unknown][]> {
  const outcomes = await pipeline.exec();
  if (!outcomes) throw new TypeError("Only an aborted transaction has no replies, and a pipeline is none.");
  return outcomes;
}

/** The replies to the commands of a pipeline, in their order. Throws the first error. */
export async function repliesOf(pipeline: Pipeline): Promise<unknown[]> {
  return (await outcomesOf(pipeline)).map(([error, reply]) => {
    if (error) throw error;
    return reply;
  });
}

/** A reply that is a list. Throws for any other. */
export function listIn(reply: unknown): readonly unknown[] {
  if (!Array.isArray(reply)) throw new TypeError("Redis answered with something other than a list.");
  return reply;
}
