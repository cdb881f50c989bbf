"use client";

import { useQuery } from "@tanstack/react-query";
import { Spinner } from "@/components/ui/spinner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { type RangeEffect, rangeEffect } from "@/lib/queries/never-block.ts";

interface RangeEffectTextProps {
  /** In canonical form. Undefined while unknown. */
  range: string | undefined;
  /** Effect of the change on such entries. */
  will: "stop being enforced" | "are enforced again";
}

const mostNamed = 5;

/** Blocklist entries that overlap the range, before the change. */
export function RangeEffectText({ range, will }: RangeEffectTextProps) {
  const { data, error } = useQuery({
    ...rangeEffect(range ?? ""),
    enabled: range !== undefined,
    staleTime: 30_000,
  });
  return (
    <div role="status" className="rounded-control bg-sunken px-3 py-2 text-cell">
      {range === undefined ? (
        <span className="text-text-3">Overlapping blocklist entries are shown here.</span>
      ) : error ? (
        `Failed to load the affected entries. ${error.message}`
      ) : data ? (
        <Effect effect={data} will={will} />
      ) : (
        <Spinner label="Searching for overlapping blocklist entries" />
      )}
    </div>
  );
}

function Effect({
  effect: { count, entries },
  will,
}: {
  effect: RangeEffect;
  will: RangeEffectTextProps["will"];
}) {
  if (count === 0) return "No blocklist entry overlaps it, so this changes no verdict now.";
  const verb = count === 1 ? will.replace("stop ", "stops ").replace("are ", "is ") : will;
  const more = count - Math.min(mostNamed, entries.length);
  return (
    <>
      <p className="font-medium">
        {count} blocklist {count === 1 ? "entry" : "entries"} {verb}:
      </p>
      <ul className="mt-1 flex flex-col gap-0.5 text-text-2">
        {entries.slice(0, mostNamed).map(({ address, reason, by }) => (
          <li key={address}>
            <span className="font-mono text-text">{address}</span>{" "}
            <Untrusted text={[reason, by].filter(Boolean).join(", by ")} max={100} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-1 text-text-3">and {more} more</p>}
    </>
  );
}
