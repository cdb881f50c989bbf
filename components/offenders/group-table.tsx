import { useMemo } from "react";
import { AddressLink } from "@/components/console/address-link.tsx";
import type { EntryCommand } from "@/components/console/entry-command.ts";
import { useHeldRows } from "@/components/console/use-held-rows.ts";
import { Button } from "@/components/ui/button.tsx";
import { LinkChip, NoteChip } from "@/components/ui/chip.tsx";
import { classes } from "@/components/ui/classes.ts";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import type { Offender } from "@/lib/queries/offenders.ts";
import { groupClients, type OffenderGroup } from "./offender-groups.ts";
import { type Grouping, type OffenderView, withSort } from "./offender-view.ts";
import { evidenceOfAll, perSecondText } from "./offender-words.ts";

interface GroupTableProps {
  clients: readonly Offender[];
  by: Exclude<Grouping, "client">;
  view: OffenderView;
  onView: (wish: Partial<OffenderView>) => void;
  /** Instead of what is selected. */
  onSelect: (offenders: readonly Offender[]) => void;
  mayChange: boolean;
  onCommand: (command: EntryCommand) => void;
}

const titles = { as: "Network", country: "Country", range: "Range", tool: "Tool" } as const;

const card =
  "cards:grid cards:items-center cards:gap-x-3 cards:gap-y-1 cards:border-border cards:px-3.5 cards:py-2.5 cards:not-last:border-b cards:*:block cards:*:h-auto cards:*:w-auto cards:*:border-0 cards:*:p-0 cards:grid-cols-[minmax(0,1fr)_auto] cards:[grid-template-areas:'name_denied''customers_requests''act_act']";

/** Clients that have something in common, with their sums. */
export function GroupTable({ clients, by, view, onView, onSelect, mayChange, onCommand }: GroupTableProps) {
  const { sort, dir } = view;
  const isByRequests = sort === "requests";
  const way = dir === "asc" ? ("ascending" as const) : ("descending" as const);
  const head = (name: "requests" | "denied") => ({
    sort: isByRequests === (name === "requests") ? way : undefined,
    onSort: () => onView(withSort(isByRequests ? view : { ...view, sort: "denied" }, name)),
  });
  const groups = useMemo(
    () => groupClients(clients, by, { sort: isByRequests ? "requests" : "denied", dir }),
    [clients, by, isByRequests, dir],
  );
  const read = { view: `${by} ${sort} ${dir}`, parts: [{ offset: 0, rows: groups }], count: groups.length };
  const held = useHeldRows(read, ({ key }) => key);
  return (
    <TableFrame
      label="Offenders"
      isInset
      className="cards:border-t cards:border-border cards:*:block cards:[&_tbody]:block"
    >
      <thead className="cards:hidden">
        <tr>
          <Th>{titles[by]}</Th>
          <Th isNumber>Clients</Th>
          <Th isNumber {...head("requests")}>
            Requests/s
          </Th>
          <Th isNumber {...head("denied")}>
            Denied/s
          </Th>
          <Th>Customers</Th>
          <Th isNumber>Blocked</Th>
          <Th isNumber isLabelHidden>
            Actions
          </Th>
        </tr>
      </thead>
      <tbody {...held.area}>
        {[...held.rows.values()].map(({ row, isGone }) => (
          <Tr key={row.key} isDimmed={isGone} className={card}>
            <Td className={classes("h-9 [grid-area:name]", (by === "range" || by === "tool") && "font-mono")}>
              {row.range ? <AddressLink address={row.range} /> : <Untrusted text={row.name} max={80} />}
            </Td>
            <Td isNumber className="cards:hidden!">
              {countText(row.clients.length)}
            </Td>
            <Td isNumber className="whitespace-nowrap [grid-area:requests]">
              {perSecondText(row.requestsPerSecond)}
              <span className="hidden text-text-3 cards:inline"> requests/s</span>
            </Td>
            <Td isNumber className="font-semibold whitespace-nowrap [grid-area:denied]">
              {perSecondText(row.deniedPerSecond)}
              <span className="hidden font-normal text-text-3 cards:inline"> denied/s</span>
            </Td>
            <Td className="[grid-area:customers]">
              <Customers group={row} />
            </Td>
            <Td isNumber className="text-text-3 cards:hidden!">
              {row.blocked === 0 ? "–" : `${countText(row.blocked)} of ${countText(row.clients.length)}`}
            </Td>
            <Td className="text-right whitespace-nowrap [grid-area:act]">
              <span className="inline-flex items-center gap-1.5 stacked:flex stacked:*:flex-1">
                {row.filter && (
                  <Button
                    size="sm"
                    aria-label={`Show ${counted(row.clients.length, "client")} of ${row.name}`}
                    onClick={() => {
                      onView({ ...row.filter, group: "client" });
                      // A range is shown to be blocked: its clients are what the common range is made of.
                      if (row.range !== undefined) onSelect(row.clients);
                    }}
                  >
                    {`Show ${counted(row.clients.length, "client")}`}
                  </Button>
                )}
                {row.range !== undefined && mayChange && (
                  <Button
                    size="sm"
                    variant="danger"
                    aria-label={`Block the range ${row.range}…`}
                    onClick={() => onCommand(blockOf(row, row.range ?? ""))}
                  >
                    Block the range…
                  </Button>
                )}
              </span>
            </Td>
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function blockOf({ clients }: OffenderGroup, range: string): EntryCommand {
  return { kind: "add", list: "blocklist", address: range, client: range, reason: evidenceOfAll(clients) };
}

const mostNamed = 2;

function Customers({ group: { customers, hasUnknownCustomers } }: { group: OffenderGroup }) {
  const more = customers.length - mostNamed;
  if (customers.length === 0)
    return hasUnknownCustomers ? (
      <NoteChip title="A node does not report customers, or they failed to load">customers unknown</NoteChip>
    ) : (
      <span
        className="text-text-3"
        title="Only the clients of this table are counted. Others of the network may be customers."
      >
        no customers here
      </span>
    );
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {customers.slice(0, mostNamed).map((name) => (
        <LinkChip key={name} href={`/customers/${encodeURIComponent(name)}`} label={`Customer ${name}`}>
          {name}
        </LinkChip>
      ))}
      {more > 0 && <NoteChip title={`${more} more customers`}>{`+${more}`}</NoteChip>}
    </span>
  );
}
