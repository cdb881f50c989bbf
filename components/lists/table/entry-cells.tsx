import { Gauge } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { ListEntry } from "@/lib/queries/entries.ts";
import { sourceOf } from "../list-words.ts";

/** Address as in Redis. Struck through when nodes do not enforce it. */
export function Address({ entry, isInForce }: { entry: ListEntry; isInForce: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className={classes("truncate font-mono", !isInForce && "text-text-3 line-through decoration-1")}>
        <Untrusted text={entry.address} max={60} />
      </span>
      {entry.isRange && <Badge tone="plain">range</Badge>}
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
