import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Environment } from "../env.ts";
import { run } from "./run.ts";

export const secret = "a secret that only the console and the command know";

export interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Around {
  readonly redisUrl?: string | undefined;
  readonly stdin?: string;
  readonly isTTY?: boolean;
  readonly isStderrTTY?: boolean;
  readonly environment?: Partial<Environment>;
  readonly appliedWithinMs?: number;
}

/** Runs the command in this process, as a shell would run it in its own. */
export async function sluice(argv: readonly string[], around: Around): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const { redisUrl, stdin = "", isTTY = false, isStderrTTY = false } = around;
  const environment = {
    ...{ redisUrl, countersRedisUrl: redisUrl, trustedProxies: undefined, neverBlock: undefined, secret },
    ...around.environment,
  };
  const exit = await run(argv, {
    stdin: Readable.from([stdin]),
    stdout,
    stderr,
    isTTY,
    isStderrTTY,
    environment,
    appliedWithinMs: around.appliedWithinMs,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await said;
  return { exit, stdout: out, stderr: err };
}
