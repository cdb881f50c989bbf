import { ReadState } from "@/components/console/read-state.tsx";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, durationText, shareText } from "@/components/ui/value-text.ts";
import type { DeniedPathsReply } from "@/lib/queries/feed.ts";
import { pathsQuery } from "./page-reads.ts";

const everyMs = 5_000;

/** Paths with most of the denials. Samples show shares only, so there are no counts. */
export function TopPathsCard({ onPick }: { onPick: (path: string) => void }) {
  const { app } = useLive();
  const read = useLiveQuery(pathsQuery(app), everyMs);
  return (
    <Card title="Denied paths" hint={read.data && saySamples(read.data)}>
      <div className="min-h-16">
        <ReadState
          read={read}
          name="the denied paths"
          skeleton={<Skeleton className="h-14 w-full" />}
          empty={({ paths }) => (paths.length > 0 ? undefined : <NoPaths />)}
          isCompact
        >
          {({ paths }) => (
            <ul className="grid gap-x-6 gap-y-1 md:grid-cols-2 xl:grid-cols-3">
              {paths.map((one) => (
                <Path key={`${one.app} ${one.path}`} of={one} onPick={onPick} />
              ))}
            </ul>
          )}
        </ReadState>
      </div>
    </Card>
  );
}

function NoPaths() {
  return <p className="text-cell text-text-3">No denial among the samples of the last 5 min.</p>;
}

/** "shares of 340 samples of the last 40 s" */
function saySamples({ samples, since, asOf }: DeniedPathsReply): string | undefined {
  if (since === null) return undefined;
  return `shares of ${counted(samples, "sample")} of the last ${durationText(Math.max(1_000, asOf - since))}`;
}

interface PathProps {
  of: DeniedPathsReply["paths"][number];
  onPick: (path: string) => void;
}

function Path({ of: { app, path, share }, onPick }: PathProps) {
  return (
    <li>
      <button
        type="button"
        onClick={() => onPick(path)}
        className="flex min-h-7 w-full items-center gap-2 rounded-control px-1.5 text-left text-cell hover:bg-raised max-sm:min-h-11"
      >
        <span className="sr-only">Show denials:</span>
        <span aria-hidden="true" className="h-1.5 w-14 shrink-0 overflow-hidden rounded-full bg-track">
          <span
            className="block h-full rounded-full bg-throttled-graphic"
            style={{ width: `${Math.max(2, 100 * share)}%` }}
          />
        </span>
        <span className="w-14 shrink-0 font-semibold">{shareText(share)}</span>
        <span className="min-w-0 flex-1 truncate font-mono">
          <Untrusted text={path} max={80} />
        </span>
        <span className="max-w-24 shrink-0 truncate text-text-3">
          <Untrusted text={app} max={30} />
        </span>
      </button>
    </li>
  );
}
