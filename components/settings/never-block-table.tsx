import { Lock, Trash2 } from "lucide-react";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { FixedRange, StoredRange } from "@/lib/queries/never-block.ts";

interface NeverBlockTableProps {
  ranges: { readonly fixed: readonly FixedRange[]; readonly stored: readonly StoredRange[] };
  /** Undefined for roles that may not. */
  onRemove?: (range: StoredRange) => void;
}

export function NeverBlockTable({ ranges: { fixed, stored }, onRemove }: NeverBlockTableProps) {
  return (
    <TableFrame label="Protected ranges" className="rounded-none border-x-0 border-b-0">
      <thead>
        <tr>
          <Th>Range</Th>
          <Th>Why</Th>
          <Th className="max-sm:hidden">By</Th>
          <Th className="max-sm:hidden">Since</Th>
          <Th isLabelHidden>Remove</Th>
        </tr>
      </thead>
      <tbody>
        {fixed.map((range) => (
          <FixedRow key={`${range.range} ${range.why}`} range={range} />
        ))}
        {stored.map((range) => (
          <StoredRow key={range.range} range={range} {...(onRemove && { onRemove: () => onRemove(range) })} />
        ))}
      </tbody>
    </TableFrame>
  );
}

const sources: Readonly<Record<string, string>> = {
  loopback: "This machine",
  "a trusted proxy": "A trusted proxy, of SLUICE_TRUSTED_PROXIES",
  "a protected range of SLUICE_NEVER_BLOCK": "SLUICE_NEVER_BLOCK",
};

function FixedRow({ range: { range, why } }: { range: FixedRange }) {
  const by = why === "loopback" ? "built in" : "environment";
  return (
    <Tr>
      <Td isMono className="min-w-34 wrap-anywhere sm:whitespace-nowrap">
        {range}
      </Td>
      <Td className="py-1.5 wrap-anywhere text-text-2">
        {sources[why] ?? why}
        <span className="block text-meta text-text-3 sm:hidden">{by}</span>
      </Td>
      <Td className="text-text-3 max-sm:hidden">{by}</Td>
      <Td className="text-text-3 max-sm:hidden">always</Td>
      <Td className="w-11 text-center text-text-3">
        <Lock className="inline" aria-label="Change it in the environment, then restart" />
      </Td>
    </Tr>
  );
}

function StoredRow({ range, onRemove }: { range: StoredRange; onRemove?: () => void }) {
  const by = <Untrusted text={range.by ?? "somebody"} max={60} />;
  const since = range.at === undefined ? "unknown" : <Timestamp at={range.at} />;
  return (
    <Tr>
      <Td isMono className="min-w-34 wrap-anywhere sm:whitespace-nowrap">
        {range.range}
      </Td>
      <Td className="py-1.5 wrap-anywhere">
        <Untrusted text={range.reason === "" ? "no reason given" : range.reason} max={160} />
        <span className="block text-meta text-text-3 sm:hidden">
          {by}, {since}
        </span>
      </Td>
      <Td className="min-w-36 text-text-2 max-sm:hidden">{by}</Td>
      <Td className="text-text-2 max-sm:hidden">{since}</Td>
      <Td className="w-11 text-center">
        {onRemove && (
          <IconButton
            size="sm"
            icon={<Trash2 />}
            label={`Stop protecting ${range.range}`}
            onClick={onRemove}
          />
        )}
      </Td>
    </Tr>
  );
}
