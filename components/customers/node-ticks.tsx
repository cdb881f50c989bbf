"use client";

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { Spinner } from "@/components/ui/spinner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { tookText } from "@/components/ui/value-text.ts";
import { changeReached } from "@/lib/queries/status.ts";

const mostShown = 12;

/** Each node with how long it took to apply the change. ChangeProgress reads; this shows the result. */
export function NodeTicks({ change }: { change: number }) {
  const { data } = useQuery({ ...changeReached(change), enabled: false });
  if (!data || data.reached.length === 0) return null;
  const slowest = Math.max(1, ...data.reached.map(({ tookMs }) => tookMs));
  return (
    <ul
      aria-label="Nodes that have it"
      className="grid grid-cols-[repeat(auto-fit,minmax(130px,1fr))] gap-px overflow-hidden rounded-b-card border-t border-border bg-border"
    >
      {data.reached.slice(0, mostShown).map(({ id, tookMs }) => (
        <li key={id} className="flex flex-col gap-1.5 bg-surface px-2.5 py-2">
          <span className="flex min-w-0 items-center gap-1.5 text-meta">
            <Check className="size-3 shrink-0 text-pass" />
            <span className="truncate">
              <Untrusted text={shortName(id)} max={40} />
            </span>
            <span className="ml-auto whitespace-nowrap text-text-3">{tookText(tookMs)}</span>
          </span>
          <span aria-hidden="true" className="h-0.5 rounded-full bg-track">
            <span
              className="block h-full rounded-full bg-pass-graphic"
              style={{ width: `${Math.max(4, (100 * tookMs) / slowest)}%` }}
            />
          </span>
        </li>
      ))}
      {data.lagging.map(({ id }) => (
        <li
          key={id}
          className="flex min-w-0 items-center gap-1.5 bg-surface px-2.5 py-2 text-meta text-throttled"
        >
          <Spinner />
          <span className="truncate">
            <Untrusted text={shortName(id)} max={40} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** `shop@web-3:123-a1b2c3` is the app, its host and its process. */
function shortName(id: string): string {
  return id.replace(/-[0-9a-f]{6}$/, "");
}
