"use client";

import { Check, TriangleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { RatesReply } from "@/lib/queries/rates.ts";
import { valueAt } from "../draft/document.ts";
import type { FindSideProps } from "./find-side.tsx";
import { type Hit, hitBy } from "./finder.ts";

/** Effect that other limits would have had. */
export function Nearby({ editor, finder, chosen, reply, per }: FindSideProps & { per: string }) {
  const inForce = editor.draft.base.rules.find(({ name }) => name === chosen.rule);
  const limitInForce = valueAt(inForce, ["levels", chosen.level, "limit"]);
  const rows = withInForce(reply, limitInForce).toSorted((a, b) => b.limit - a.limit);
  return (
    <TableFrame label="Nearby limits" className="rounded-control!" isBusy={finder.isBehind}>
      <thead>
        <tr>
          <Th>Nearby limits</Th>
          <Th isNumber>Clients</Th>
          <Th isNumber>Customers</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ limit, clients, customers }) => (
          <Tr key={limit} isSelected={limit === finder.limit}>
            <Td>
              <button
                type="button"
                onClick={() => finder.move(limit)}
                className="mr-2 min-h-6 rounded-control text-left whitespace-nowrap hover:underline max-sm:min-h-11"
              >
                <span className="font-semibold">{countText(limit)}</span>{" "}
                <span className="text-text-3">{per}</span>
              </button>
              {limit === limitInForce && <Badge tone="plain">in force</Badge>}
            </Td>
            <Td isNumber className={clients > 0 ? "text-throttled" : ""}>
              {countText(clients)}
            </Td>
            <Td isNumber className={customers > 0 ? "text-blocked" : "text-pass"}>
              <span className="inline-flex items-center gap-1.5">
                {customers > 0 ? <TriangleAlert className="size-3.5" /> : <Check className="size-3.5" />}
                {countText(customers)}
              </span>
            </Td>
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

interface NearbyLimit extends Hit {
  readonly limit: number;
}

/** Adds the limit in force, for comparison. */
function withInForce(reply: RatesReply, limit: unknown): readonly NearbyLimit[] {
  if (typeof limit !== "number" || reply.judged.some((one) => one.limit === limit)) return reply.judged;
  const hit = hitBy(reply, limit);
  return hit ? [...reply.judged, { limit, ...hit }] : reply.judged;
}
