"use client";

import { Card } from "../../../../../components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "../../../../../components/ui/data-table.tsx";
import { TextLink } from "../../../../../components/ui/link.tsx";
import { Timestamp } from "../../../../../components/ui/timestamp.tsx";
import { Untrusted } from "../../../../../components/ui/untrusted.tsx";
import { VerdictBadge } from "../../../../../components/ui/verdicts.tsx";
import type { FeedItem } from "../../../../../lib/queries/feed.ts";
import { ReadingRows } from "./reading-rows.tsx";
import type { DayNow } from "./use-day.ts";

/** What of it was turned away, by which rule, when, and from where. */
export function DenialsCard({ told: { day, problem } }: { told: DayNow }) {
  const sampled = Math.max(1, ...(day?.denials.map(({ standsFor }) => standsFor) ?? []));
  return (
    <Card
      title="Denied lately"
      hint={sampled > 1 ? `about 1 in ${sampled} shown` : "of what nodes kept"}
      isFlush
    >
      {!day && <ReadingRows problem={problem} />}
      {day?.denials.length === 0 && (
        <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">Nothing of it was denied lately.</p>
      )}
      {day && day.denials.length > 0 && (
        <TableFrame label="Denied lately" isInset className="max-h-96">
          <thead>
            <tr>
              {["When", "Verdict", "Address", "Request", "Rule"].map((name) => (
                <Th key={name}>{name}</Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {day.denials.map((item) => (
              <Row key={item.id} item={item} />
            ))}
          </tbody>
        </TableFrame>
      )}
    </Card>
  );
}

function Row({ item: { at, outcome, rule, method, path, ip } }: { item: FeedItem }) {
  return (
    <Tr>
      <Td className="whitespace-nowrap text-text-3">
        <Timestamp at={at} />
      </Td>
      <Td>
        <VerdictBadge verdict={outcome} />
      </Td>
      <Td isMono className="whitespace-nowrap">
        <TextLink href={`/clients/${encodeURIComponent(ip)}`} className="inline-block py-1">
          {ip}
        </TextLink>
      </Td>
      <Td isMono className="max-w-60 truncate">
        <span className="text-text-3">{method} </span>
        <Untrusted text={path} max={80} />
      </Td>
      <Td isMono className="max-w-40 truncate text-text-2">
        <span>
          <Untrusted text={rule} max={40} />
        </span>
      </Td>
    </Tr>
  );
}
