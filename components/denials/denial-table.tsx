import { Address } from "@/components/console/address.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { ClockTime } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import type { FeedItem } from "@/lib/queries/feed.ts";

/** Denials of the log, with a link to each client and customer. */
export function DenialTable({ items }: { items: readonly FeedItem[] }) {
  return (
    <TableFrame label="Denied requests" isInset>
      <thead>
        <tr>
          <Th>Time (UTC)</Th>
          <Th>Verdict</Th>
          <Th>Client</Th>
          <Th className="max-md:hidden">Customer</Th>
          <Th className="max-sm:hidden">Rule</Th>
          <Th className="max-lg:hidden">Request</Th>
          <Th className="max-md:hidden">App</Th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, at, outcome, ip, customerId, rule, method, path, app }) => (
          <Tr key={id}>
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
              <span className="block max-w-60 truncate pb-1 text-meta text-text-3 sm:max-w-100 lg:hidden">
                <span className="sm:hidden">
                  <Untrusted text={rule} max={60} />
                  {" · "}
                </span>
                {method} <Untrusted text={path} max={60} />
              </span>
            </Td>
            <Td className="max-w-40 truncate max-md:hidden">
              {customerId !== "" && (
                <TextLink href={`/customers/${encodeURIComponent(customerId)}`}>
                  <Untrusted text={customerId} max={40} />
                </TextLink>
              )}
            </Td>
            <Td isMono className="max-w-60 truncate text-text-2 max-sm:hidden">
              <Untrusted text={rule} max={80} />
            </Td>
            <Td isMono className="max-w-90 truncate max-lg:hidden">
              <span className="text-text-3">{method} </span>
              <Untrusted text={path} max={80} />
            </Td>
            <Td className="text-text-3 max-md:hidden">
              <Untrusted text={app} max={30} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
