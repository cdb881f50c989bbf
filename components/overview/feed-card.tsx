import { useState } from "react";
import { HeldNotice } from "@/components/console/held-notice.tsx";
import { ReadState, useStaleSince } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useHeldRows } from "@/components/console/use-held-rows.ts";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { VerdictBadge, verdictWords } from "@/components/ui/verdicts.tsx";
import type { FeedItem } from "@/lib/queries/feed.ts";
import { latestDenials } from "./page-reads.ts";

const kinds = ["throttled", "blocked", "shadow"] as const;
const none: readonly FeedItem[] = [];

/** Latest denials. */
export function FeedCard() {
  const { app } = useLive();
  const [outcome, setOutcome] = useState<(typeof kinds)[number]>();
  const read = useLiveQuery(latestDenials(app, outcome), 1_000);
  const rows = read.data?.items ?? none;
  const held = useHeldRows(
    {
      view: `${outcome ?? ""} ${app ?? ""}`,
      isPlaceholder: read.isPlaceholderData,
      parts: [{ offset: 0, rows }],
      count: rows.length,
    },
    ({ id }) => id,
  );
  const items = [...held.rows.values()].map(({ row }) => row);
  const isStale = useStaleSince(read) !== undefined;
  const sampled = Math.max(1, ...items.map(({ standsFor }) => standsFor));
  return (
    <Card
      title="Latest denials"
      hint={[!isStale && "live", sampled > 1 && `about 1 in ${sampled} shown`].filter(Boolean).join(", ")}
      isFlush
      actions={
        <>
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
          empty={() => (held.count > 0 ? undefined : <NoDenials outcome={outcome} />)}
          isInset
        >
          {() => (
            <TableFrame label="Latest denials" isInset>
              <thead className="sr-only">
                <tr>
                  {["Time", "Verdict", "Client", "Rule", "Request", "User agent", "App"].map((name) => (
                    <Th key={name}>{name}</Th>
                  ))}
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

/** Shown without denials. The feed keeps the newest requests of all clients, possibly only those of a few seconds. */
function NoDenials({ outcome }: { outcome: (typeof kinds)[number] | undefined }) {
  return (
    <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
      No request {outcome ? `with this verdict (${verdictWords[outcome].toLowerCase()})` : "was denied"} among
      the latest samples.
    </p>
  );
}

function Row({ item }: { item: FeedItem }) {
  const { ip, at, outcome, rule, method, path, userAgent, app } = item;
  return (
    <Tr className="animate-arrive">
      <Td isMono className="whitespace-nowrap text-text-3">
        <Timestamp at={at} />
      </Td>
      <Td>
        <VerdictBadge verdict={outcome} />
      </Td>
      <Td isMono className="whitespace-nowrap">
        <TextLink href={`/clients/${encodeURIComponent(ip)}`}>{ip}</TextLink>
      </Td>
      <Td isMono className="text-text-2 max-md:hidden">
        <Untrusted text={rule} max={40} />
      </Td>
      <Td isMono className="max-w-90 truncate max-lg:max-w-32 max-sm:hidden">
        <span className="text-text-3">{method} </span>
        <Untrusted text={path} max={80} />
      </Td>
      <Td isMono className="max-w-60 truncate text-text-2 max-[73.75rem]:hidden">
        <Untrusted text={userAgent} max={50} />
      </Td>
      <Td className="text-text-3 max-md:hidden">
        <Untrusted text={app} max={30} />
      </Td>
    </Tr>
  );
}
