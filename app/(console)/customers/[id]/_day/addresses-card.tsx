"use client";

import { Card } from "../../../../../components/ui/card.tsx";
import { countText } from "../../../../../components/ui/count-text.ts";
import { TableFrame, Td, Th, Tr } from "../../../../../components/ui/data-table.tsx";
import { TextLink } from "../../../../../components/ui/link.tsx";
import { Timestamp } from "../../../../../components/ui/timestamp.tsx";
import { ReadingRows } from "./reading-rows.tsx";
import type { DayNow } from "./use-day.ts";

/** Where it came from lately. An address may be shared with others: its counts are the address's own. */
export function AddressesCard({ told: { day, problem } }: { told: DayNow }) {
  return (
    <Card title="Addresses" hint="seen lately; each address's last hour, whoever it came as" isFlush>
      {!day && <ReadingRows problem={problem} />}
      {day?.addresses.length === 0 && (
        <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
          Nodes keep some of the latest requests; none of them is this customer's.
        </p>
      )}
      {day && day.addresses.length > 0 && (
        <TableFrame label="Addresses" isInset>
          <thead>
            <tr>
              <Th>Address</Th>
              <Th isNumber>Requests</Th>
              <Th isNumber>Denied</Th>
              <Th isNumber>Seen</Th>
            </tr>
          </thead>
          <tbody>
            {day.addresses.map(({ ip, requests, denied, lastAt }) => (
              <Tr key={ip}>
                <Td isMono className="wrap-anywhere">
                  <TextLink href={`/clients/${encodeURIComponent(ip)}`} className="inline-block py-1">
                    {ip}
                  </TextLink>
                </Td>
                <Td isNumber>{countText(requests)}</Td>
                <Td isNumber className={denied > 0 ? "font-semibold text-throttled" : "text-text-3"}>
                  {countText(denied)}
                </Td>
                <Td isNumber className="text-text-3">
                  <Timestamp at={lastAt} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </Card>
  );
}
