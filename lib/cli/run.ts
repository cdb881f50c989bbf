import { version } from "../guard/version.ts";
import { type Call, type Report, UsageError } from "./command.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { failureOf } from "./failure.ts";
import { help } from "./help.ts";
import { type Io, put } from "./io.ts";
import type { Options } from "./options.ts";
import { printable, printableJson } from "./printable.ts";
import { openSession, openToWrite, type Session } from "./session.ts";

/** Does what the command line says, and returns the exit code. */
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
        ? [`Try: ${["sluice", error.about, "--help"].filter(Boolean).join(" ")}`]
        : [];
    const complaints = [...failure.message.split("\n"), ...tip];
    await print(io, { lines: [], complaints, json: { error: failure } }, asksForJson(argv));
    return exit;
  }
}

async function reportOn(line: CommandLine, io: Io): Promise<Report> {
  if (line.wants === "version") return { lines: [version], json: { version } };
  if (line.wants === "help") return { lines: help(line.about), json: { help: help(line.about).join("\n") } };
  let open: Session | undefined;
  const environment = chooseRedis(io.environment, line.options);
  const keep = <S extends Session>(session: S): S => {
    open = session;
    return session;
  };
  const call: Call = {
    operands: line.operands,
    options: line.options,
    io: { ...io, environment },
    reading: async () => keep(await openSession(environment)),
    writing: async () => keep(await openToWrite(environment)),
  };
  try {
    return await line.command.run(call);
  } finally {
    open?.redis.disconnect();
  }
}

/** Counters stay beside the lists unless they have a server of their own. */
function chooseRedis(environment: Io["environment"], options: Options): Io["environment"] {
  const redisUrl = options.text("redis");
  if (redisUrl === undefined) return environment;
  const isShared = environment.countersRedisUrl === environment.redisUrl;
  return { ...environment, redisUrl, countersRedisUrl: isShared ? redisUrl : environment.countersRedisUrl };
}

/** Everything passes here on its way to a terminal, so that nothing from Redis reaches it unchecked. */
async function print(io: Io, { lines, complaints = [], json }: Report, isJson: boolean): Promise<void> {
  if (isJson) {
    if (json !== undefined) await put(io.stdout, `${printableJson(json)}\n`);
    return;
  }
  for (const line of lines) await put(io.stdout, `${printable(line)}\n`);
  for (const line of complaints) await put(io.stderr, `${printable(line)}\n`);
}

/** Also for a command line that could not be read. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes("--json");
}
