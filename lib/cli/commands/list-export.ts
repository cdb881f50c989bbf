import { createWriteStream } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { DomainError } from "../../errors.ts";
import { plural } from "../../observe/doctor/finding.ts";
import { exportEntries } from "../../observe/lists/export.ts";
import { listEntries } from "../../observe/lists/scan.ts";
import type { ListName } from "../../redis/keys.ts";
import type { Command, CommandReport } from "../command.ts";
import { type Io, put } from "../io.ts";
import { entryToJson, type ListWord, listNamed } from "../list-report.ts";
import type { CommandSession } from "../session.ts";
import { printable, printableJson } from "../terminal.ts";

export function listExport(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} export`,
    takes: "[file]",
    operands: { least: 0, most: 1 },
    summary: `Write the ${list} as CSV`,
    about: ["Writes to standard output, or to a file, which appears when it is complete."],
    options: [],
    examples: [`sluice ${word} export ${list}.csv`, `sluice ${word} export --json | jq '.entries | length'`],
    async run({ operands: [file = "-"], options, io, reading }) {
      const place = file === "-" ? undefined : await placeFor(file);
      const session = await reading();
      if (place !== undefined) return toFile(session, list, place);
      await (options.has("json") ? jsonToStdout(session, list, io) : csvToStdout(session, list, io));
      return { lines: [], json: undefined };
    },
  };
}

async function csvToStdout({ redis }: CommandSession, list: ListName, io: Io): Promise<void> {
  for await (const row of exportEntries(redis, list)) {
    await put(io.stdout, io.isTTY ? `${printable(row.trimEnd())}\n` : row);
  }
}

async function jsonToStdout({ redis }: CommandSession, list: ListName, { stdout }: Io): Promise<void> {
  let before = `{"list":"${list}","entries":[\n`;
  for await (const entry of listEntries(redis, list)) {
    await put(stdout, before + printableJson(entryToJson(entry)));
    before = ",\n";
  }
  await put(stdout, before === ",\n" ? "\n]}\n" : `${before}]}\n`);
}

async function toFile({ redis }: CommandSession, list: ListName, file: string): Promise<CommandReport> {
  const part = `${file}.${process.pid}.part`;
  let rows = 0;
  try {
    const stream = createWriteStream(part, { flags: "wx" });
    const end = finished(stream);
    end.catch(() => {});
    for await (const row of exportEntries(redis, list)) {
      await Promise.race([put(stream, row), end]);
      rows++;
    }
    stream.end();
    await end;
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw cannotWrite(error);
  }
  const entries = rows - 1;
  return {
    lines: [`${plural(entries, "entry", "entries")} of the ${list} written to ${file}.`],
    json: { list, file, entries },
  };
}

/** Path of the new file. A link is followed. A device or a folder is never replaced. */
async function placeFor(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return file;
  if (found.isFile()) return realpath(file);
  const problem = `${file} is not a regular file`;
  throw new DomainError("bad-input", `${problem}. Leave the name out to write to standard output.`, {
    file: problem,
  });
}

/** Error for a file that cannot be written. Errors of the file system have a path; others are returned unchanged. */
function cannotWrite(error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("path" in error)) return error;
  return new DomainError("bad-input", `The file cannot be written: ${error.message}.`, {
    file: error.message,
  });
}
