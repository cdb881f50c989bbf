import { Gauge, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { Sparkline } from "@/components/charts/sparkline.tsx";
import { Address } from "@/components/console/address.tsx";
import { AddressLink } from "@/components/console/address-link.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Link } from "@/components/ui/link.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { ListEntry } from "@/lib/queries/entries.ts";
import { dayHitsText, hitsText } from "../hits-words.ts";
import { sourceOf } from "../list-words.ts";
import type { RowProps } from "../rows/rows-view.ts";

/** Address as in Redis. Struck through when nodes do not enforce it. */
export function EntryAddress({ list, entry, isGone, isRemoving }: RowProps) {
  const { address, other, flag, isRange } = entry;
  const isOverruled = list === "blocklist" && other !== undefined;
  const isInForce = flag === undefined && !isOverruled && !isGone && !isRemoving;
  return (
    <span className="flex min-w-0 items-center gap-2 [&>:last-child:not(:first-child)]:shrink-[99]">
      <span className={classes("truncate font-mono", !isInForce && "text-text-3 line-through decoration-1")}>
        <AddressLink address={address} max={60} />
      </span>
      {isRange && <Badge tone="plain">range</Badge>}
      {flag === undefined && <Address address={address} hasLink={false} />}
    </span>
  );
}

export function Reason({ text }: { text: string }) {
  return text === "" ? (
    <span className="text-text-3">no reason given</span>
  ) : (
    <span className="truncate">
      <Untrusted text={text} max={160} />
    </span>
  );
}

/** User who added the entry, or the rule that banned the client. */
export function AddedBy({ entry: { by, via } }: { entry: ListEntry }) {
  const rule = via?.startsWith("auto:") ? via.slice("auto:".length) : undefined;
  if (rule !== undefined) {
    return (
      <span className="flex min-w-0 items-center gap-1.5">
        <Gauge className="size-3.5 text-text-3" />
        <span className="truncate">
          auto: <Untrusted text={rule} max={60} />
        </span>
      </span>
    );
  }
  return by === undefined ? (
    <span className="text-text-3">unknown</span>
  ) : (
    <span className="block truncate">
      <Untrusted text={by} max={80} />
    </span>
  );
}

export function AddedAt({ at }: { at: string | undefined }) {
  return at === undefined ? <span className="text-text-3">unknown</span> : <Timestamp at={at} />;
}

export function Source({ via }: { via: string | undefined }) {
  return (
    <span className="block truncate">
      <Untrusted text={sourceOf(via)} max={40} />
    </span>
  );
}

/** Requests that the entry decided: in the last hour, and below it in the last 24 h. */
export function Hits({ hits, hasChart }: { hits: ListEntry["hits"]; hasChart: boolean }) {
  const recent = hits?.recent ?? [];
  return (
    <span className="flex items-center justify-end gap-2">
      {hasChart && recent.length > 0 && (
        <span className="xl:max-[1399px]:hidden">
          <Sparkline values={recent} className="h-5 w-12" />
        </span>
      )}
      <span className="flex min-w-14 shrink-0 flex-col text-right leading-tight">
        <span className={hits?.hour ? "text-text" : "text-text-3"}>{hitsText(hits?.hour)}</span>
        <span className="text-meta leading-tight text-text-3">{dayHitsText(hits)}</span>
      </span>
    </span>
  );
}

/** Checkbox of a row. With Shift, it selects all rows from the one selected last. */
export function PickBox({ entry, place, isPicked, acts }: RowProps) {
  const hasShift = useRef(false);
  return (
    <span
      onPointerDownCapture={(event) => {
        hasShift.current = event.shiftKey;
        // Without this the browser selects the text of all rows between.
        if (event.shiftKey) event.preventDefault();
      }}
      onKeyDownCapture={(event) => {
        hasShift.current = event.shiftKey;
      }}
    >
      <Checkbox
        checked={isPicked}
        onChange={() => acts.current.pick(entry, place, hasShift.current)}
        label={`Select ${entry.address}`}
        isLabelHidden
      />
    </span>
  );
}

/** Marks an entry without effect, or one that wins over another, with a link to the other entry. */
export function ConflictBadge({ list, entry: { other, flag, address } }: RowProps) {
  if (flag !== undefined) {
    return (
      <Badge tone="throttled" icon={<TriangleAlert />}>
        <span className="truncate">
          Not enforced: <Untrusted text={flag} max={120} />
        </span>
      </Badge>
    );
  }
  if (!other) return null;
  const words = list === "blocklist" ? "Safelist wins" : "Wins over the blocklist";
  return (
    <Link href={`/${other.list}?q=${encodeURIComponent(other.address)}`} className="min-w-0 rounded-badge">
      <Badge tone="safelisted" icon={toneIcon("safelisted")}>
        <span className="truncate underline decoration-current/40 underline-offset-2">
          {words}
          {other.address !== address && (
            <>
              : <Untrusted text={other.address} max={60} />
            </>
          )}
        </span>
      </Badge>
    </Link>
  );
}
