import { nodesBefore } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";

const mostNamed = 5;

/** Printable text of a node's ID or host. A node reports these itself, so they may be any text. */
const shown = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 80);

interface NeededFormat {
  readonly format: number;
  /** What older nodes do not know, in words. */
  readonly what: string;
  /** "The policy was not saved. Upgrade every node first, or leave these out." */
  readonly effect: string;
  /** The command that saves all the same. */
  readonly command: string;
}

/** Throws where a live node does not understand a format. */
export async function requireUnderstood(
  redis: Connection,
  { format, what, effect, command }: NeededFormat,
): Promise<void> {
  const older = await nodesBefore(redis, format);
  if (older.length === 0) return;
  const named = older.slice(0, mostNamed).map(({ id, host }) => `${shown(id)} (host ${shown(host)})`);
  const more = older.length > mostNamed ? ` and ${older.length - mostNamed} more` : "";
  const which = older.length === 1 ? `Node ${named[0]} runs` : `Nodes ${named.join(", ")}${more} run`;
  throw new DomainError(
    "bad-input",
    `${which} an older version, which does not know ${what}. ${effect} A node that is gone leaves the list within 8 s. If you do not run such a node, an app's Redis account reports it: find the app and change its password. To save all the same: ${command} --even-with-old-nodes.`,
  );
}
