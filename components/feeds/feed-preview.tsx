import { Ban, Lock, Maximize2, Rss, ShieldCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Spinner } from "@/components/ui/spinner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import type { FeedPreview } from "@/lib/queries/feeds.ts";

interface FeedPreviewPaneProps {
  readonly preview: {
    readonly data: FeedPreview | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
  };
  readonly isWideConfirmed: boolean;
  readonly list: "blocklist" | "safelist";
}

/** What the feed would do, as far as it was read. */
export function FeedPreviewPane({ preview, isWideConfirmed, list }: FeedPreviewPaneProps) {
  const { data, error, isFetching } = preview;
  return (
    <section aria-label="What this feed does" aria-busy={isFetching} className="flex min-w-0 flex-col gap-3">
      <h3 className="text-body font-semibold">
        What this feed does {isFetching && <Spinner label="Reading the feed" />}
      </h3>
      {error && !isFetching && (
        <p role="alert" className="text-cell wrap-anywhere text-blocked">
          <Untrusted text={error.message} max={400} />
        </p>
      )}
      {!data && !error && !isFetching && (
        <p className="text-cell text-text-3">Enter a source. It is read, and nothing is written.</p>
      )}
      {data && <Effect data={data} isWideConfirmed={isWideConfirmed} list={list} />}
    </section>
  );
}

function Effect({
  data,
  isWideConfirmed,
  list,
}: { data: FeedPreview } & Pick<FeedPreviewPaneProps, "isWideConfirmed" | "list">) {
  const { lastHour } = data;
  const does = list === "safelist" ? "Would have safelisted" : "Would have denied";
  return (
    <>
      <dl className="grid grid-cols-3 gap-2 rounded-card border border-border p-3 text-cell">
        <Fact
          name="Ranges"
          value={countText(data.ranges)}
          says={`${countText(data.v4)} IPv4 · ${countText(data.v6)} IPv6`}
        />
        <Fact
          name="Addresses"
          value={countText(data.addresses)}
          says={data.widest === null ? "" : `widest ${data.widest}`}
        />
        <Fact
          name="Not read"
          value={counted(data.unreadCount, "line")}
          says={data.format === "json" ? "JSON" : "lines"}
        />
      </dl>
      {data.unread.length > 0 && (
        <details className="text-cell">
          <summary className="cursor-pointer text-text-2">Show lines</summary>
          <ul className="pt-1">
            {data.unread.map(({ line, text, reason }) => (
              <li key={line} className="wrap-anywhere text-text-3">
                {line}: <Untrusted text={text} max={80} /> – <Untrusted text={reason} max={160} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <ul className="flex flex-col gap-2.5 text-cell">
        <LastHour lastHour={lastHour} does={does} />
        {data.safelistedCount > 0 && (
          <Point icon={<ShieldCheck className="text-safelisted" />}>
            <b>{sayOverlap(data.safelistedCount)} the safelist, which wins</b>
            <Named names={data.safelisted} />
          </Point>
        )}
        {data.blocklistedCount > 0 && (
          <Point icon={<Ban className="text-text-3" />}>
            <b>{sayOverlap(data.blocklistedCount)} the blocklist</b>
            <Named names={data.blocklisted} />
          </Point>
        )}
        {data.feeds.length > 0 && (
          <Point icon={<Rss />}>
            <b>Also in {counted(data.feeds.length, "other feed")}</b>
            <Named names={data.feeds.map(({ feed, ranges }) => `${feed} (${counted(ranges, "range")})`)} />
          </Point>
        )}
        {data.protected.length > 0 && (
          <Point icon={<Lock />}>
            <b>{counted(data.protected.length, "protected range")} skipped</b>
            <Named names={data.protected.map(({ range, why }) => `${range} (${why})`)} />
          </Point>
        )}
        {data.wideCount > 0 && (
          <Point icon={<Maximize2 />}>
            <b>
              {countText(data.wideCount)} wider than /24 or /48
              {isWideConfirmed ? ", taken" : ", left out until you confirm"}
            </b>
            <Named names={data.wide} />
          </Point>
        )}
        {data.tooWideCount > 0 && (
          <Point icon={<Maximize2 />}>
            <b>{countText(data.tooWideCount)} wider than /8 or /16, always left out</b>
            <Named names={data.tooWide} />
          </Point>
        )}
      </ul>
    </>
  );
}

const sayOverlap = (count: number) => `${counted(count, "range")} ${count === 1 ? "overlaps" : "overlap"}`;

/** Clients that requests of the last hour came from. */
export function LastHour({ lastHour, does }: { lastHour: FeedPreview["lastHour"]; does: string }) {
  return (
    <Point icon={<TriangleAlert className={lastHour?.clients ? "text-blocked" : "text-text-3"} />}>
      {lastHour === null ? (
        <b>Which clients it would have hit is unknown: the counts could not be read.</b>
      ) : lastHour.clients === 0 ? (
        <b>No client of the last hour is in these ranges</b>
      ) : (
        <>
          <b>
            {does} {counted(lastHour.requests, "request")} of {counted(lastHour.clients, "client")} in the
            last hour
          </b>
          <span className="block text-text-2">
            {countText(lastHour.denied)} of them were denied anyway.{" "}
            {lastHour.customers.length > 0 ? (
              <>
                {counted(lastHour.customers.length, "customer")} among them:{" "}
                <Untrusted text={lastHour.customers.slice(0, 8).join(", ")} max={200} />.
              </>
            ) : lastHour.areCustomersKnown ? (
              "No customer is among them."
            ) : (
              "Whether customers are among them is unknown."
            )}
          </span>
        </>
      )}
    </Point>
  );
}

function Fact({ name, value, says }: { name: string; value: string; says: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-text-3">{name}</dt>
      <dd className="text-body font-semibold">{value}</dd>
      <dd className="truncate text-meta text-text-3">{says}</dd>
    </div>
  );
}

function Point({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-2.5 [&_.lucide]:mt-0.5 [&_.lucide]:size-3.5 [&_.lucide]:shrink-0">
      {icon}
      <span className="min-w-0">{children}</span>
    </li>
  );
}

/** Some addresses, or names. */
export function Named({ names }: { names: readonly string[] }) {
  return (
    <span className="block font-mono text-meta wrap-anywhere text-text-2">
      <Untrusted text={names.slice(0, 6).join(", ")} max={400} />
    </span>
  );
}
