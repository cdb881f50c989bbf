"use client";

import { useState } from "react";
import { Card } from "../../../components/ui/card.tsx";
import { Chip } from "../../../components/ui/chip.tsx";
import { TableFrame, Td, Th, Tr } from "../../../components/ui/data-table.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { Timestamp } from "../../../components/ui/timestamp.tsx";
import { Untrusted } from "../../../components/ui/untrusted.tsx";
import { VerdictBadge, verdictWords } from "../../../components/ui/verdicts.tsx";
import { type FeedItem, feed } from "../../../lib/queries/feed.ts";
import { useLive, useLiveQuery } from "./use-live.tsx";

const kinds = ["throttled", "blocked", "shadow"] as const;
const shown = 12;

/** The latest denials. It holds still while somebody points at it or has the focus in it. */
export function FeedCard() {
  const { app } = useLive();
  const [outcome, setOutcome] = useState<(typeof kinds)[number]>();
  const [held, setHeld] = useState<readonly FeedItem[]>();
  const { data } = useLiveQuery(feed({ outcome, app, most: shown }), 1_000);
  const items = held ?? data?.items ?? [];
  const sampled = Math.max(1, ...items.map(({ standsFor }) => standsFor));
  return (
    <Card
      title="Latest denials"
      hint={held ? "held still" : sampled > 1 ? `live, about 1 in ${sampled} shown` : "live"}
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pointing at it or going into it holds it still, and that is all. */}
      <div
        onPointerEnter={() => setHeld(data?.items)}
        onPointerLeave={() => setHeld(undefined)}
        onFocus={() => setHeld(data?.items)}
        onBlur={() => setHeld(undefined)}
      >
        {items.length === 0 ? (
          <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
            {data ? "Nothing was denied lately." : "Reading what was denied."}
          </p>
        ) : (
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
      </div>
    </Card>
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
      <Td isMono className="text-text-2">
        <Untrusted text={rule} max={40} />
      </Td>
      <Td isMono className="max-w-90 truncate">
        <span className="text-text-3">{method} </span>
        <Untrusted text={path} max={80} />
      </Td>
      <Td isMono className="max-w-60 truncate text-text-2">
        <Untrusted text={userAgent} max={50} />
      </Td>
      <Td className="text-text-3">
        <Untrusted text={app} max={30} />
      </Td>
    </Tr>
  );
}
