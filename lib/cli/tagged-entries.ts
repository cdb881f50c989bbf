import { DomainError } from "../errors.ts";
import type { BulkResult } from "../manage/lists/bulk.ts";
import type { ListContext } from "../manage/lists/change-entries.ts";
import { plural } from "../observe/doctor/finding.ts";
import { listEntries } from "../observe/lists/scan.ts";
import type { ListName } from "../redis/keys.ts";
import { sayApplied } from "./applied.ts";
import { type CommandReport, UsageError } from "./command.ts";
import { exitCode } from "./failure.ts";
import type { GivenOptions } from "./options.ts";
import type { WritingSession } from "./session.ts";

/** Explanation of --tag in the help of commands that change entries by it. */
export const byTagHelp = [
  "--tag without addresses takes all entries with this tag, in one audit record with one undo. --dry-run counts them.",
];

/** Whether the entries are chosen by a tag. Throws unless the command line has either addresses or a tag. */
export function areByTag(command: string, operands: readonly string[], options: GivenOptions): boolean {
  if (options.has("tag") === operands.length > 0)
    throw new UsageError("Give either addresses or --tag.", command);
  if (options.has("dry-run") && !options.has("tag")) throw new UsageError("--dry-run is for --tag.", command);
  return options.has("tag");
}

export interface TaggedChange {
  readonly list: ListName;
  readonly tag: string;
  readonly isDryRun: boolean;
  /** "removed from the blocklist" */
  readonly done: string;
  readonly change: (
    ctx: ListContext,
    some: { readonly addresses: readonly string[]; readonly after: string | undefined },
  ) => Promise<BulkResult>;
}

/** Changes all entries with a tag, in one record. */
export async function changeTagged(
  { redis, context, awaitApplied }: WritingSession,
  { list, tag, isDryRun, done, change }: TaggedChange,
): Promise<CommandReport> {
  const addresses = await findTagged(redis, list, tag);
  const wanted = plural(addresses.length, "entry", "entries");
  if (isDryRun || addresses.length === 0) {
    const lines = [`${wanted} on the ${list} with the tag ${tag}. Nothing was written.`];
    return { lines, json: { list, tag, wanted: addresses.length, done: 0, change: null } };
  }
  let written = 0;
  const skipped: BulkResult["skipped"][number][] = [];
  let last: BulkResult;
  let after: string | undefined;
  do {
    last = await change(context, { addresses, after });
    written += last.done;
    skipped.push(...last.skipped);
    if (last.stopped) throw new DomainError(last.stopped.code, last.stopped.message);
    after = last.next ?? undefined;
  } while (after !== undefined);
  const applied = await awaitApplied(last.change);
  const { record } = last;
  const undo =
    record === null ? [] : [`Record ${record} in the audit log. To undo this, run sluice undo ${record}.`];
  return {
    lines: [
      `${written} of ${wanted} with the tag ${tag} ${done}.`,
      ...undo,
      ...sayApplied(last.change, applied),
    ],
    complaints: skipped.map(({ message }) => message),
    json: {
      list,
      tag,
      wanted: addresses.length,
      done: written,
      record,
      change: last.change,
      applied,
      skipped,
    },
    ...(skipped.length > 0 && { exit: exitCode.refused }),
  };
}

/** In one order, by which the same request continues an interrupted one. */
async function findTagged(
  redis: WritingSession["redis"],
  list: ListName,
  tag: string,
): Promise<readonly string[]> {
  const addresses: string[] = [];
  for await (const { address, note } of listEntries(redis, list))
    if (note.tags?.includes(tag)) addresses.push(address);
  return addresses.sort();
}
