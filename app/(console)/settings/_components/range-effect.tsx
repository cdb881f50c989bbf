"use client";

import { useQuery } from "@tanstack/react-query";
import { Spinner } from "../../../../components/ui/spinner.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import { type RangeEffect, rangeEffect } from "../../../../lib/queries/never-block.ts";

interface RangeEffectTextProps {
  /** In canonical form; nothing while it is not known yet. */
  range: string | undefined;
  /** What such entries do once this is done. */
  will: "stop biting" | "bite again";
}

const mostNamed = 5;

/** Which blocklist entries hang on the range, before anything is done. */
export function RangeEffectText({ range, will }: RangeEffectTextProps) {
  const { data, error } = useQuery({
    ...rangeEffect(range ?? ""),
    enabled: range !== undefined,
    staleTime: 30_000,
  });
  return (
    <div role="status" className="rounded-control bg-sunken px-3 py-2 text-cell">
      {range === undefined ? (
        <span className="text-text-3">Which blocklist entries it touches will stand here.</span>
      ) : error ? (
        `What it would change cannot be seen now: ${error.message}`
      ) : data ? (
        <Effect effect={data} will={will} />
      ) : (
        <Spinner label="Looking which blocklist entries it touches" />
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
  if (count === 0) return "No blocklist entry hangs on it, so nobody is let in or stopped by this now.";
  const verb = count === 1 ? will.replace("stop", "stops").replace("bite ", "bites ") : will;
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
