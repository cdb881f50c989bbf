import { AddressLink } from "@/components/console/address-link.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { ClockTime } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import type { FeedItem } from "@/lib/queries/feed.ts";

interface SampleTableProps {
  /** Accessible name. */
  readonly label: string;
  readonly items: readonly FeedItem[];
  /** Shown beside the request: the app for a client, the address for a customer. */
  readonly by: "app" | "address";
  /** With a height. */
  readonly className: string;
}

/** Requests that nodes kept, of one client or customer. */
export function SampleTable({ label, items, by, className }: SampleTableProps) {
  const hasAddress = by === "address";
  return (
    <TableFrame label={label} isInset className={className}>
      <thead>
        <tr>
          <Th>Time (UTC)</Th>
          <Th>Verdict</Th>
          {hasAddress && <Th>Address</Th>}
          <Th>Request</Th>
          <Th>Rule</Th>
          {!hasAddress && <Th className="max-md:hidden">App</Th>}
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, at, outcome, rule, method, path, ip, app }) => (
          <Tr key={id}>
            <Td isMono className="whitespace-nowrap text-text-3">
              <ClockTime at={at} />
            </Td>
            <Td>
              <VerdictBadge verdict={outcome} />
            </Td>
            {hasAddress && (
              <Td isMono className="whitespace-nowrap">
                <AddressLink address={ip} />
              </Td>
            )}
            <Td isMono className="max-w-60 truncate">
              <span className="text-text-3">{method} </span>
              <Untrusted text={path} max={80} />
            </Td>
            <Td isMono className="max-w-40 truncate text-text-2">
              <span>
                <Untrusted text={rule} max={40} />
              </span>
            </Td>
            {!hasAddress && (
              <Td className="text-text-3 max-md:hidden">
                <Untrusted text={app} max={30} />
              </Td>
            )}
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
