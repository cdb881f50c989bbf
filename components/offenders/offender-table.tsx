import { LockOpen } from "lucide-react";
import type { EntryCommand } from "@/components/console/entry-command.ts";
import { commandsOf, removalLabel } from "@/components/console/entry-command.ts";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { classes } from "@/components/ui/classes.ts";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import type { Offender } from "@/lib/queries/offenders.ts";
import type { Status } from "@/lib/queries/status.ts";
import { BlockButtons } from "./block-buttons.tsx";
import { Clears, Counter, Estimate, Rates, State, Who, wideOnly } from "./offender-cells.tsx";
import { type OffenderSort, type OffenderView, withSort } from "./offender-view.ts";
import { clientHref, decidedBy, evidenceOf } from "./offender-words.ts";

export interface TableRow {
  readonly row: Offender;
  /** A held row that has left the table. */
  readonly isGone: boolean;
}

interface OffenderTableProps {
  rows: readonly TableRow[];
  view: OffenderView;
  onView: (wish: Partial<OffenderView>) => void;
  /** By `keyOf`. */
  selected: ReadonlyMap<string, Offender>;
  onSelect: (offenders: readonly Offender[], isSelected: boolean) => void;
  /** Undefined while it is unknown. */
  mode: Status["mode"] | undefined;
  mayChange: boolean;
  onCommand: (command: EntryCommand) => void;
}

/** The same in every read. */
export const keyOf = ({ kind, client, counter, estimate }: Offender): string =>
  `${kind} ${client} ${kind === "rule" ? (counter ?? estimate)?.rule : ""}`;

/** Only addresses have entries on the lists. */
export const isSelectable = ({ kind }: Offender): boolean => kind === "ip";

/** Places of the cells in a card, for narrow tables. */
const areas =
  "cards:grid-cols-[auto_minmax(0,1fr)_auto_13.5rem] cards:[grid-template-areas:'pick_who_denied_state''pick_meter_requests_act'] stacked:grid-cols-[auto_minmax(0,1fr)_auto] stacked:[grid-template-areas:'pick_who_denied''pick_who_state''meter_meter_meter''act_act_act']";

/** Row as a card, for narrow tables. */
const card =
  "cards:grid cards:items-center cards:gap-x-3 cards:gap-y-1 cards:border-border cards:px-3.5 cards:py-2.5 cards:not-last:border-b cards:*:block cards:*:h-auto cards:*:w-auto cards:*:border-0 cards:*:p-0 stacked:gap-y-2 stacked:py-3";

/** Clients in rows; in a narrow table, as cards. */
export function OffenderTable(props: OffenderTableProps) {
  const { rows, selected, mayChange } = props;
  return (
    <TableFrame
      label="Offenders"
      isInset
      className="cards:border-t cards:border-border cards:*:block cards:[&_tbody]:block @min-[54rem]/rows:@max-[70rem]/rows:[&_td]:px-2 @min-[54rem]/rows:@max-[70rem]/rows:[&_th]:px-2"
    >
      <Head {...props} />
      <tbody>
        {rows.map(({ row, isGone }) => (
          <Tr
            key={keyOf(row)}
            isDimmed={isGone}
            isSelected={selected.has(keyOf(row))}
            className={classes(card, areas)}
          >
            {mayChange && <Pick {...props} offender={row} />}
            <Who offender={row} isGone={isGone} />
            <Rates offender={row} isGone={isGone} />
            <Counter offender={row} isGone={isGone} />
            <Estimate offender={row} isGone={isGone} />
            <Clears offender={row} isGone={isGone} />
            <State offender={row} mode={props.mode} />
            <Act {...props} offender={row} />
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function Head({ rows, view, onView, selected, onSelect, mayChange }: OffenderTableProps) {
  const selectable = rows.map(({ row }) => row).filter(isSelectable);
  const count = selectable.filter((row) => selected.has(keyOf(row))).length;
  const isAll = count > 0 && count === selectable.length;
  const column = (sort: OffenderSort) => ({
    sort:
      view.sort !== sort ? undefined : view.dir === "asc" ? ("ascending" as const) : ("descending" as const),
    onSort: () => onView(withSort(view, sort)),
  });
  return (
    <thead className="cards:hidden">
      <tr>
        {mayChange && (
          <Th className="w-9 pr-0!">
            <Checkbox
              label="Select all"
              isLabelHidden
              checked={isAll || (count > 0 && "indeterminate")}
              isDisabled={selectable.length === 0}
              onChange={(isNow) => onSelect(selectable, isNow)}
            />
          </Th>
        )}
        <Th {...column("client")}>Client</Th>
        <Th isNumber title="Average of the last 60 s" {...column("requests")}>
          Requests/s
        </Th>
        <Th isNumber title="Average of the last 60 s" {...column("denied")}>
          Denied/s
        </Th>
        <Th {...column("ratio")}>Counter / limit</Th>
        <Th isNumber className={wideOnly} title="EARRRL's average recent rate" {...column("estimate")}>
          Estimate
        </Th>
        <Th isNumber {...column("clears")}>
          Clears in
        </Th>
        <Th>State</Th>
        <Th isNumber>{mayChange ? "Block for" : <span className="sr-only">Actions</span>}</Th>
      </tr>
    </thead>
  );
}

interface RowProps extends OffenderTableProps {
  offender: Offender;
}

function Pick({ offender, selected, onSelect }: RowProps) {
  return (
    <Td className="w-9 pr-0! [grid-area:pick] max-sm:-ml-3">
      {isSelectable(offender) && (
        <Checkbox
          label={`Select ${offender.client}`}
          isLabelHidden
          checked={selected.has(keyOf(offender))}
          onChange={(isNow) => onSelect([offender], isNow)}
        />
      )}
    </Td>
  );
}

function Act({ offender, mayChange, onCommand }: RowProps) {
  const { kind, client, listed } = offender;
  const href = clientHref(offender);
  return (
    <Td className="text-right whitespace-nowrap [grid-area:act]">
      {kind === "ip" && listed && mayChange && (
        <Listed {...{ client, listed, onCommand }} offender={offender} />
      )}
      {kind === "ip" && !listed && (
        <BlockButtons
          address={client}
          reason={evidenceOf(offender)}
          listed={undefined}
          mayChange={mayChange}
        />
      )}
      {kind === "customer" && href && decidedBy(offender) === "limits" && (
        <LinkButton href={href} size="sm" className="stacked:w-full">
          Adjust limits
        </LinkButton>
      )}
      {kind === "customer" && href && decidedBy(offender) === "addresses" && (
        <BlockedCustomer {...{ offender, href, mayChange, onCommand }} />
      )}
    </Td>
  );
}

interface BlockedCustomerProps extends Pick<OffenderTableProps, "mayChange" | "onCommand"> {
  offender: Offender;
  href: string;
}

/** Higher limits change nothing while entries block the customer's addresses. */
function BlockedCustomer({ offender, href, mayChange, onCommand }: BlockedCustomerProps) {
  const [entry, another] = offender.blockedAddresses?.entries ?? [];
  if (!mayChange || !entry || another)
    return (
      <LinkButton href={href} size="sm" className="stacked:w-full">
        Open customer
      </LinkButton>
    );
  const { list, address } = entry;
  return (
    <Button
      size="sm"
      icon={<LockOpen className="size-3.5" />}
      aria-label={`Unblock ${address}`}
      className="stacked:w-full"
      onClick={() => onCommand({ kind: "remove", list, address, client: address, others: [] })}
    >
      Unblock
    </Button>
  );
}

interface ListedProps {
  offender: Offender;
  listed: NonNullable<Offender["listed"]>;
  onCommand: (command: EntryCommand) => void;
}

/** Changes of the entry that covers the client. */
function Listed({ offender, listed, onCommand }: ListedProps) {
  const { client } = offender;
  const { list, address, expiresAt = null } = listed;
  const { remove, expiry } = commandsOf(client, { list, address, expiresAt }, []);
  const label = removalLabel(remove);
  return (
    <span className="inline-flex items-center gap-1.5">
      <Button
        size="sm"
        icon={<LockOpen className="size-3.5" />}
        aria-label={address === client ? `${label} ${client}` : label}
        onClick={() => onCommand(remove)}
      >
        {list === "blocklist" ? "Unblock" : "Stop safelisting"}
      </Button>
      <Menu
        label={`Actions for ${client}`}
        items={[
          ...(listed.expiresAt === undefined
            ? []
            : [{ label: "Change expiry…", onSelect: () => onCommand(expiry) }]),
          ...(list === "blocklist"
            ? [{ label: "Safelist…", onSelect: () => onCommand(addCommand("safelist", offender)) }]
            : []),
          { label: "Open client", href: `/clients/${encodeURIComponent(client)}` },
        ]}
      />
    </span>
  );
}

function addCommand(list: "safelist" | "blocklist", offender: Offender): EntryCommand {
  const { client } = offender;
  return { kind: "add", list, address: client, client, reason: evidenceOf(offender) };
}
