import type { ListName } from "@/lib/redis/keys.ts";

/** A change of one list entry that a dialog asks about. */
export type EntryCommand =
  | {
      readonly kind: "add";
      readonly list: ListName;
      readonly address: string;
      /** The dialog also offers the ranges around it. */
      readonly client: string;
      readonly reason: string;
      /** Clients for which a range is chosen: the dialog shows which others it would hit. */
      readonly selected?: readonly string[];
    }
  | {
      readonly kind: "remove";
      readonly list: ListName;
      /** Of the entry, which may be a range around the client. */
      readonly address: string;
      readonly client: string;
      /** Other enforced entries of the list that cover the client. */
      readonly others: readonly string[];
    }
  | {
      readonly kind: "expiry";
      readonly list: ListName;
      readonly address: string;
      readonly expiresAt: number | null;
    };

/** Label of a removal, which names a range that is removed with it. */
export function removalLabel({ list, address, client }: Extract<EntryCommand, { kind: "remove" }>): string {
  const verb = list === "blocklist" ? "Unblock" : "Stop safelisting";
  return address === client ? verb : `${verb} ${address}`;
}

interface CoveringEntry {
  readonly list: ListName;
  readonly address: string;
  readonly expiresAt: number | null;
  readonly notEnforced?: string | null | undefined;
}

/**
 * The entry of a list that a client's commands change: the most specific one that is enforced, else the most specific one.
 *
 * @param covering the most specific first
 */
export function entryToChange<E extends CoveringEntry>(
  covering: readonly E[],
  list: ListName,
): E | undefined {
  const ofList = covering.filter((entry) => entry.list === list);
  return ofList.find(isEnforced) ?? ofList[0];
}

/** The commands that remove an entry and change its expiry. */
export function commandsOf(client: string, entry: CoveringEntry, covering: readonly CoveringEntry[]) {
  const { list, address, expiresAt } = entry;
  const others = covering
    .filter((other) => other.list === list && other.address !== address && isEnforced(other))
    .map((other) => other.address);
  return {
    remove: { kind: "remove", list, address, client, others },
    expiry: { kind: "expiry", list, address, expiresAt },
  } as const satisfies Record<string, EntryCommand>;
}

const isEnforced = ({ notEnforced }: CoveringEntry) => notEnforced === undefined || notEnforced === null;
