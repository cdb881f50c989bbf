import { useState } from "react";
import { Address } from "@/components/console/address.tsx";
import { HeldNotice } from "@/components/console/held-notice.tsx";
import { ReadState, useStaleSince } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useHeldRows } from "@/components/console/use-held-rows.ts";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { useSettled } from "@/components/console/use-settled.ts";
import { Card } from "@/components/ui/card.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { classes } from "@/components/ui/classes.ts";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Input } from "@/components/ui/input.tsx";
import { ClockTime } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { VerdictBadge, verdictWords } from "@/components/ui/verdicts.tsx";
import type { FeedItem } from "@/lib/queries/feed.ts";
import { filterOf, sayReach } from "./feed-filter.ts";
import { latestDenials } from "./page-reads.ts";

const kinds = ["throttled", "blocked", "shadow"] as const;
const none: readonly FeedItem[] = [];
/** A pause in typing. */
const settledMs = 300;

/** Classes of the columns that narrow screens leave out. */
const shownFrom = {
  rule: "max-md:hidden",
  request: "max-sm:hidden",
  userAgent: "max-[73.75rem]:hidden",
  app: "max-md:hidden",
} as const;

/** Characters of the filter. */
export const longestFilter = 64;

interface FeedCardProps {
  /** The text of the filter. */
  typed: string;
  setTyped: (text: string) => void;
}

/** Latest denials, filtered where Redis keeps them. */
export function FeedCard({ typed, setTyped }: FeedCardProps) {
  const { app } = useLive();
  const [outcome, setOutcome] = useState<(typeof kinds)[number]>();
  const text = useSettled(typed, settledMs).trim();
  const read = useLiveQuery(latestDenials(app, { outcome, ...filterOf(text) }), 1_000);
  const rows = read.data?.items ?? none;
  const held = useHeldRows(
    {
      view: `${outcome ?? ""} ${app ?? ""} ${text}`,
      isPlaceholder: read.isPlaceholderData,
      parts: [{ offset: 0, rows }],
      count: rows.length,
    },
    ({ id }) => id,
  );
  const items = [...held.rows.values()].map(({ row }) => row);
  const isStale = useStaleSince(read) !== undefined;
  const sampled = Math.max(1, ...items.map(({ standsFor }) => standsFor));
  const reach = read.data && sayReach(read.data);
  return (
    <Card
      title="Latest denials"
      hint={[!isStale && "live", reach, sampled > 1 && `about 1 in ${sampled} kept`]
        .filter(Boolean)
        .join(", ")}
      isFlush
      actions={
        <>
          <Input
            aria-label="Filter by client, rule or path"
            placeholder="Client, rule or /path"
            type="search"
            maxLength={longestFilter}
            spellCheck={false}
            autoCapitalize="none"
            className="w-44 max-sm:w-full"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Chip isOn={outcome === undefined} onClick={() => setOutcome(undefined)}>
            All
          </Chip>
          {kinds.map((kind) => (
            <Chip key={kind} isOn={outcome === kind} onClick={() => setOutcome(kind)}>
              {verdictWords[kind]}
            </Chip>
          ))}
        </>
      }
    >
      <div {...held.area}>
        <ReadState
          read={read}
          name="the latest denials"
          skeleton={<RowsSkeleton rows={6} columns={[2, 2, 3, 3, 5, 4, 2]} />}
          empty={() =>
            held.count > 0 ? undefined : <NoDenials {...{ outcome, reach }} isFiltered={text !== ""} />
          }
          isInset
        >
          {() => (
            <TableFrame label="Latest denials" isInset>
              <thead>
                <tr>
                  <Th>Time (UTC)</Th>
                  <Th>Verdict</Th>
                  <Th>Client</Th>
                  <Th className={shownFrom.rule}>Rule</Th>
                  <Th className={shownFrom.request}>Request</Th>
                  <Th className={shownFrom.userAgent}>User agent</Th>
                  <Th className={shownFrom.app}>App</Th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <Row key={item.id} item={item} />
                ))}
              </tbody>
            </TableFrame>
          )}
        </ReadState>
        <HeldNotice {...held} />
      </div>
    </Card>
  );
}

interface NoDenialsProps {
  outcome: (typeof kinds)[number] | undefined;
  reach: string | undefined;
  isFiltered: boolean;
}

/** Shown without denials. The feed keeps samples, possibly only those of a few seconds. */
function NoDenials({ outcome, reach, isFiltered }: NoDenialsProps) {
  const verdict = outcome && `with this verdict (${verdictWords[outcome].toLowerCase()})`;
  const which = [isFiltered && "of this filter", verdict ?? "was denied"].filter(Boolean).join(" ");
  return (
    <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
      No request {which} among the {reach ?? "latest samples"}.
    </p>
  );
}

function Row({ item }: { item: FeedItem }) {
  const { ip, at, outcome, rule, method, path, userAgent, app } = item;
  return (
    <Tr className="animate-arrive">
      <Td isMono className="whitespace-nowrap text-text-3">
        <ClockTime at={at} />
      </Td>
      <Td>
        <VerdictBadge verdict={outcome} />
      </Td>
      <Td isMono className="whitespace-nowrap">
        <span className="inline-flex items-center gap-2">
          <Address address={ip} networkClassName="max-xl:hidden" />
        </span>
      </Td>
      <Td isMono className={classes("max-w-60 truncate text-text-2", shownFrom.rule)}>
        <Untrusted text={rule} max={80} />
      </Td>
      <Td isMono className={classes("max-w-90 truncate max-2xl:max-w-60 max-lg:max-w-32", shownFrom.request)}>
        <span className="text-text-3">{method} </span>
        <Untrusted text={path} max={80} />
      </Td>
      <Td isMono className={classes("max-w-60 truncate text-text-2", shownFrom.userAgent)}>
        <Untrusted text={userAgent} max={50} />
      </Td>
      <Td className={classes("text-text-3", shownFrom.app)}>
        <Untrusted text={app} max={30} />
      </Td>
    </Tr>
  );
}
