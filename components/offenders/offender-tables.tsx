import { ArrowDown, ArrowRight, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { Sparkline } from "@/components/charts/sparkline.tsx";
import { CountersUnavailable } from "@/components/console/counters-unavailable.tsx";
import { HeldNotice } from "@/components/console/held-notice.tsx";
import { type LiveRead, ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { type HoldingRows, useHeldRows } from "@/components/console/use-held-rows.ts";
import { useLive } from "@/components/console/use-live.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Meter } from "@/components/ui/meter.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { rateText } from "@/components/ui/value-text.ts";
import type { Offender, OffendersReply } from "@/lib/queries/offenders.ts";
import { BlockButtons } from "./block-buttons.tsx";
import { clearsText, clientHref, sayCount, sayEstimate, trendOf, underLimit } from "./offender-words.ts";

interface TableProps {
  read: LiveRead<OffendersReply>;
  /** Number of rows of the skeleton. */
  skeletonRows: number;
  mayChange: boolean;
  actions?: ReactNode;
  hint?: ReactNode;
}

/** Clients nearest to a limit, or furthest over it, by their current counts. */
export function CounterTable(table: TableProps) {
  return (
    <OffenderTable
      {...table}
      title="Top offenders by counter"
      rowsOf={({ byCounter }) => byCounter}
      reasonOf={sayCount}
      head={
        <>
          <Th>Rule</Th>
          <Th>Count / limit</Th>
          <Th isNumber>Resets in</Th>
        </>
      }
      areas="cards:grid-cols-[minmax(0,1fr)_8.5rem_13.5rem] cards:[grid-template-areas:'who_meter_act''rule_clears_act'] stacked:grid-cols-[minmax(0,1fr)_auto] stacked:[grid-template-areas:'who_who''rule_clears''meter_meter''act_act']"
    >
      {(one, isGone) => (
        <>
          <Rule offender={one} />
          <Td className="w-56 [grid-area:meter]">
            {one.limit === null ? (
              <span title="This rule belongs to another system. Its limit is unknown.">
                {Math.round(one.used)}
              </span>
            ) : (
              <Meter
                hasText
                label={`Count of ${one.client}`}
                value={Math.round(one.used)}
                limit={one.limit}
              />
            )}
          </Td>
          <Td isNumber className="whitespace-nowrap text-text-2 [grid-area:clears]">
            <ClearsIn row={one} isGone={isGone} word="resets in" />
          </Td>
        </>
      )}
    </OffenderTable>
  );
}

/** Clients by EARRRL's estimate, their average recent rate. */
export function EstimateTable(table: TableProps) {
  return (
    <OffenderTable
      {...table}
      title="Top offenders by EARRRL estimate"
      rowsOf={({ byEstimate }) => byEstimate}
      reasonOf={sayEstimate}
      head={
        <>
          <Th isNumber>Est. /s</Th>
          <Th>Against limit</Th>
          <Th>Trend</Th>
          <Th isNumber>Clears in</Th>
        </>
      }
      areas="cards:grid-cols-[minmax(0,1fr)_4.5rem_4.5rem_13.5rem] cards:[grid-template-areas:'who_est_clears_act''trend_meter_meter_act'] stacked:grid-cols-[minmax(0,1fr)_auto] stacked:[grid-template-areas:'who_est''trend_clears''meter_meter''act_act']"
    >
      {(one, isGone) => (
        <>
          <Td
            isNumber
            className={classes(
              "whitespace-nowrap [grid-area:est]",
              one.isOver && "font-semibold text-blocked",
            )}
          >
            {rateText(one.used)}
            <span className="hidden font-normal text-text-3 cards:inline"> /s</span>
          </Td>
          <Td className="w-44 [grid-area:meter]">
            {one.limit !== null && (
              <Meter label={`Estimate of ${one.client}`} value={one.used} limit={one.limit} />
            )}
          </Td>
          <Td className="[grid-area:trend]">
            <Trend offender={one} />
          </Td>
          <Td
            isNumber
            className={classes("whitespace-nowrap [grid-area:clears]", !one.isOver && "text-text-3")}
          >
            <ClearsIn row={one} isGone={isGone} word="clears in" />
          </Td>
        </>
      )}
    </OffenderTable>
  );
}

interface OffenderTableProps extends TableProps {
  title: string;
  rowsOf: (reply: OffendersReply) => readonly Offender[];
  /** Reason of a block, for the audit log. */
  reasonOf: (offender: Offender) => string;
  /** Heads of the columns between the client and the buttons. */
  head: ReactNode;
  /** Places of the cells in a card, for narrow tables. */
  areas: string;
  /** Cells between the client and the buttons. */
  children: (offender: Offender, isGone: boolean) => ReactNode;
}

const none: readonly Offender[] = [];

const keyOf = ({ kind, client, rule }: Offender) => `${kind} ${client} ${rule}`;

/** Without counts, an empty table does not mean that no client is near a limit. */
function OffenderTable({ read, rowsOf, title, hint, actions, skeletonRows, ...table }: OffenderTableProps) {
  const { app = "" } = useLive();
  const rows = read.data ? rowsOf(read.data) : none;
  const parts = [{ offset: 0, rows }];
  const held = useHeldRows(
    { view: app, isPlaceholder: read.isPlaceholderData, parts, count: rows.length },
    keyOf,
  );
  const isEmpty = held.count === 0;
  return (
    <Card title={title} hint={hint} actions={actions} isFlush>
      <ReadState
        read={read}
        name="the offenders"
        skeleton={<RowsSkeleton rows={skeletonRows} hasHead />}
        unknown={({ isCounted }) =>
          isEmpty && !isCounted ? <CountersUnavailable hasRows={false} /> : undefined
        }
        empty={() =>
          isEmpty ? (
            <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">No client is near a limit.</p>
          ) : undefined
        }
        isInset
        isCompact
      >
        {({ isCounted }) => (
          <div {...held.area} className="@container/rows">
            {!isCounted && <CountersUnavailable hasRows />}
            <TableFrame
              label={title}
              isInset
              className="cards:border-t cards:border-border cards:*:block cards:[&_tbody]:block"
            >
              <Rows rows={held.rows} {...table} />
            </TableFrame>
            <HeldNotice {...held} />
          </div>
        )}
      </ReadState>
    </Card>
  );
}

interface RowsProps
  extends Pick<OffenderTableProps, "head" | "areas" | "reasonOf" | "mayChange" | "children"> {
  rows: HoldingRows<Offender>["rows"];
}

function Rows({ rows, head, areas, reasonOf, mayChange, children }: RowsProps) {
  return (
    <>
      <thead>
        <tr className="cards:sr-only">
          <Th>Client</Th>
          {head}
          <Th isNumber>Block for</Th>
        </tr>
      </thead>
      <tbody>
        {[...rows.values()].map(({ row: one, isGone }) => (
          <Tr key={keyOf(one)} isDimmed={isGone || one.listed !== undefined} className={classes(card, areas)}>
            <Who offender={one} />
            {children(one, isGone)}
            <Act offender={one} reason={reasonOf(one)} mayChange={mayChange} />
          </Tr>
        ))}
      </tbody>
    </>
  );
}

interface ClearsInProps {
  row: Offender;
  /** A held row that has left the table. */
  isGone: boolean;
  /** Words for cards, which have no column heads. */
  word: string;
}

function ClearsIn({ row, isGone, word }: ClearsInProps) {
  if (isGone) return <span title="No longer in this table. The values are the last known.">gone</span>;
  const text = clearsText(row);
  return (
    <>
      {text !== underLimit && <span className="hidden text-text-3 cards:inline">{`${word} `}</span>}
      {text}
    </>
  );
}

/** Row as a card, for narrow tables. */
const card =
  "cards:grid cards:items-center cards:gap-x-3 cards:gap-y-1 cards:border-border cards:px-3.5 cards:py-2.5 cards:not-last:border-b cards:*:block cards:*:h-auto cards:*:w-auto cards:*:border-0 cards:*:p-0 stacked:gap-y-2 stacked:py-3";

function Who({ offender }: { offender: Offender }) {
  const { kind, client, tool } = offender;
  const href = clientHref(offender);
  const name = <Untrusted text={kind === "customer" ? `customer ${client}` : client} max={46} />;
  return (
    <Td isMono className="py-1 wrap-anywhere [grid-area:who]">
      <span className="flex min-w-36 flex-wrap items-center gap-x-2 gap-y-1 stacked:min-h-6 stacked:text-[15px]">
        {href ? <TextLink href={href}>{name}</TextLink> : name}
        {tool && <Badge tone="plain">{tool}</Badge>}
      </span>
    </Td>
  );
}

function Rule({ offender: { rule, isShadowed, limit } }: { offender: Offender }) {
  return (
    <Td isMono className="py-1 text-text-2 [grid-area:rule]">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Untrusted text={rule} max={32} />
        {isShadowed && <Badge tone="shadow">shadow</Badge>}
        {limit === null && <Badge tone="plain">other system</Badge>}
      </span>
    </Td>
  );
}

function Trend({ offender: { history, limit, isOver } }: { offender: Offender }) {
  const trend = trendOf(history);
  const Arrow = trend === "up" ? ArrowUp : trend === "down" ? ArrowDown : ArrowRight;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Sparkline values={history} verdict={isOver ? "blocked" : undefined} limit={limit ?? undefined} />
      <Arrow
        className="size-3 text-text-3"
        aria-label={trend === "level" ? "steady" : trend === "up" ? "rising" : "falling"}
      />
    </span>
  );
}

function Act({ offender, reason, mayChange }: { offender: Offender; reason: string; mayChange: boolean }) {
  const { kind, client, listed } = offender;
  const href = clientHref(offender);
  return (
    <Td className="text-right whitespace-nowrap [grid-area:act]">
      {kind === "ip" && (
        <BlockButtons address={client} reason={reason} listed={listed} mayChange={mayChange} />
      )}
      {kind === "customer" && href && (
        <LinkButton href={href} size="sm" className="stacked:w-full">
          Adjust limits
        </LinkButton>
      )}
    </Td>
  );
}
