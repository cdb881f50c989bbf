"use client";

import { useQuery } from "@tanstack/react-query";
import { TextLink } from "@/components/ui/link.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { overridePreview } from "@/lib/queries/overrides.ts";
import { sayLevel } from "../customer-words.ts";
import { sayPreview } from "./override-words.ts";

interface EffectPaneProps {
  /** JSON of what is previewed. */
  readonly asked: string;
  readonly isReady: boolean;
}

/** Who would get the limits, and who of the last hour would have been denied. */
export function EffectPane({ asked, isReady }: EffectPaneProps) {
  const given = JSON.parse(asked);
  const { data, error, isFetching } = useQuery({
    ...overridePreview(given),
    enabled: isReady,
    retry: false,
    staleTime: 10_000,
  });
  return (
    <section
      aria-label="What it does"
      aria-busy={isFetching}
      className="flex min-w-0 flex-col gap-2 text-cell"
    >
      <h3 className="text-body font-semibold">
        What it does {isFetching && <Spinner label="Reading the last hour" />}
      </h3>
      {error && !isFetching && (
        <p role="alert" className="wrap-anywhere text-blocked">
          <Untrusted text={error.message} max={400} />
        </p>
      )}
      {!data && !error && !isFetching && (
        <p className="text-text-3">Enter a name and limits. Nothing is written until you save.</p>
      )}
      {data && isReady && (
        <>
          {sayPreview(data, given.name).map((text) => (
            <p key={text}>{text}</p>
          ))}
          {data.over.length > 0 && (
            <ul
              aria-label="Customers that would have been denied"
              className="divide-y divide-border rounded-card border border-border"
            >
              {data.over.map(({ id, peak, limit, periodSeconds }) => (
                <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-3 px-3 py-1.5">
                  <TextLink
                    href={`/customers/${encodeURIComponent(id)}`}
                    className="min-w-0 truncate font-medium"
                  >
                    {id}
                  </TextLink>
                  <span className="text-text-2">
                    peak {countText(peak)}, limit {sayLevel({ limit, periodSeconds })}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {data.unjudged.length > 0 && (
            <p className="text-text-3">
              Not judged, because the period is longer than an hour: {data.unjudged.map(sayLevel).join(", ")}.
            </p>
          )}
          <p className="text-text-3">Counts all requests of each customer, in whole minutes.</p>
        </>
      )}
    </section>
  );
}
