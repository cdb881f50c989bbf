import { version } from "../enforce/guard/version.ts";
import { DomainError } from "../errors.ts";
import { apiAccess } from "./access/api-access.ts";
import { requireApi } from "./access/api-client.ts";
import { redisReadAccess, redisWriteAccess } from "./access/redis-access.ts";
import { type CommandCall, type CommandReport, UsageError } from "./command.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { type ExitCode, exitCode, failureOf } from "./failure.ts";
import { help } from "./help.ts";
import { type Io, put } from "./io.ts";
import type { GivenOptions } from "./options.ts";
import { type CommandSession, openSession, openToWrite } from "./session.ts";
import { printable, printableJson } from "./terminal.ts";

/** Runs a command line, and returns the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    const line = readCommandLine(argv);
    const report = await reportOn(line, io);
    await print(io, report, line.options.has("json"));
    return report.exit ?? exitCode.done;
  } catch (error) {
    const { failure, exit } = failureOf(error);
    const tip =
      error instanceof UsageError
        ? [`For help run: ${["sluice", error.about, "--help"].filter(Boolean).join(" ")}`]
        : [];
    const complaints = [...failure.message.split("\n"), ...tip];
    await print(io, { lines: [], complaints, json: { error: failure } }, asksForJson(argv));
    return exit;
  }
}

async function reportOn(line: CommandLine, io: Io): Promise<CommandReport> {
  if (line.wants === "version") return { lines: [version], json: { version } };
  if (line.wants === "help") return { lines: help(line.about), json: { help: help(line.about).join("\n") } };
  let open: CommandSession | undefined;
  const environment = chooseRedis(io.environment, line.options);
  // --redis names another place than SLUICE_URL.
  const isOverApi = environment.apiUrl !== undefined && !line.options.has("redis");
  const keep = <S extends CommandSession>(session: S): S => {
    open = session;
    return session;
  };
  const reading = async () => keep(await openSession(environment));
  const writing = async () => keep(await openToWrite(environment, io.appliedWithinMs));
  const overApi = async () => apiAccess(requireApi(environment), { appliedWithinMs: io.appliedWithinMs });
  // Before the command reads files or standard input.
  if (isOverApi && line.command.needsRedis) throw notOverApi(line.command.name);
  const refuse = async () => {
    throw notOverApi(line.command.name);
  };
  const call: CommandCall = {
    operands: line.operands,
    options: line.options,
    io: { ...io, environment },
    ...(isOverApi
      ? { readAccess: overApi, writeAccess: overApi, reading: refuse, writing: refuse }
      : {
          readAccess: async () => redisReadAccess(await reading(), environment),
          writeAccess: async () => redisWriteAccess(await writing(), environment),
          ...{ reading, writing },
        }),
  };
  try {
    return await line.command.run(call);
  } finally {
    open?.redis.disconnect();
  }
}

function notOverApi(name: string): DomainError {
  return new DomainError(
    "not-configured",
    `sluice ${name} needs Redis: the API does not serve it. Unset SLUICE_URL and set REDIS_URL, or give --redis.`,
  );
}

/** Settings with the Redis of --redis. Counters follow it unless they have their own server. */
function chooseRedis(environment: Io["environment"], options: GivenOptions): Io["environment"] {
  const redisUrl = options.text("redis");
  if (redisUrl === undefined) return environment;
  const isShared = environment.countersRedisUrl === environment.redisUrl;
  return { ...environment, redisUrl, countersRedisUrl: isShared ? redisUrl : environment.countersRedisUrl };
}

/** Prints a report. All output passes here, so that text from Redis reaches no terminal unchecked. */
async function print(
  io: Io,
  { lines, complaints = [], json }: CommandReport,
  isJson: boolean,
): Promise<void> {
  if (isJson) {
    if (json !== undefined) await put(io.stdout, `${printableJson(json)}\n`);
    return;
  }
  for (const line of lines) await put(io.stdout, `${printable(line)}\n`);
  for (const line of complaints) await put(io.stderr, `${printable(line)}\n`);
}

/** Whether --json was given, also on a command line that cannot be read. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes("--json");
}
