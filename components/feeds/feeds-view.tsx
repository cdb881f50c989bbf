"use client";

import { Plus, RefreshCw, Rss } from "lucide-react";
import { useState } from "react";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { PauseButton } from "@/components/console/pause-button.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useLiveQuery } from "@/components/console/use-live.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { refreshFeed } from "@/lib/console/actions/feeds.ts";
import { type FeedsReply, feeds } from "@/lib/queries/feeds.ts";
import { FeedHeads, FeedItem } from "./feed-item.tsx";
import { type FeedFilter, filterNames, filters, inOrder, isShown, sayFeeds } from "./feed-words.ts";
import { useFeedChange } from "./use-feed-change.ts";

const AddFeedDialog = lazyDialog(() => import("./add-feed-dialog.tsx").then((found) => found.AddFeedDialog));
const everyMs = 2_000;

/** Sources of addresses for the lists: what each has, its state, and its hits. */
export function FeedsView({ mayChange }: { mayChange: boolean }) {
  const read = useLiveQuery(feeds(), everyMs);
  const [isAdding, setIsAdding] = useState(false);
  const { change, isBusy } = useFeedChange();
  const { data } = read;
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => setIsAdding(true)}>
      Add feed
    </Button>
  );
  const refreshAll = async (found: FeedsReply) => {
    for (const { id, isPaused } of found.feeds)
      if (!isPaused) await change(undefined, () => refreshFeed({ id }));
  };
  return (
    <>
      <PageHeader
        title="Feeds"
        facts={data && <span>{sayFeeds(data)} · an entry or a protected range always wins</span>}
        actions={
          <>
            <PauseButton />
            {mayChange && data && data.feeds.length > 0 && (
              <Button icon={<RefreshCw />} isBusy={isBusy} onClick={() => void refreshAll(data)}>
                Refresh all
              </Button>
            )}
            {mayChange && add}
          </>
        }
      />
      <ReadState
        read={read}
        name="the feeds"
        skeleton={
          <Card isFlush>
            <RowsSkeleton rows={6} columns={[5, 2, 2, 3, 2]} rowHeight={46} hasHead />
          </Card>
        }
        consequence="Nodes keep enforcing the feeds that they have."
        empty={(found) =>
          found.feeds.length > 0 ? undefined : (
            <EmptyState
              icon={<Rss />}
              title="No feeds yet"
              hint="A feed is a public list, a file, a network or a country whose addresses are blocked or safelisted, and stay current."
              action={mayChange && add}
            />
          )
        }
        isFramed
      >
        {(found) => <FeedList found={found} mayChange={mayChange} />}
      </ReadState>
      {isAdding && <AddFeedDialog onClose={() => setIsAdding(false)} />}
    </>
  );
}

function FeedList({ found, mayChange }: { found: FeedsReply; mayChange: boolean }) {
  const [filter, setFilter] = useState<FeedFilter>("all");
  const { feeds, oldNodes, asOf } = found;
  const shown = inOrder(feeds).filter((feed) => isShown(feed, filter));
  return (
    <div className="flex flex-col gap-3">
      {oldNodes.length > 0 && (
        <Banner tone="throttled" title={`${counted(oldNodes.length, "node")} without feeds`}>
          <Untrusted text={oldNodes.slice(0, 5).join(", ")} max={300} /> enforce no feed. Update their app, or
          give their Redis account the new rights.
        </Banner>
      )}
      <fieldset className="m-0 flex min-w-0 gap-2 border-0 p-0 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-0.5 sm:flex-wrap">
        <legend className="sr-only">Filter</legend>
        {filters.map((one) => (
          <Chip
            key={one}
            isOn={filter === one}
            count={feeds.filter((feed) => isShown(feed, one)).length}
            onClick={() => setFilter(one)}
          >
            {filterNames[one]}
          </Chip>
        ))}
      </fieldset>
      <Card isFlush>
        {shown.length === 0 ? (
          <EmptyState
            icon={<Rss />}
            title="No feeds match this filter"
            hint={`${counted(feeds.length, "feed")} in all.`}
            action={<Button onClick={() => setFilter("all")}>Show all feeds</Button>}
          />
        ) : (
          <div className="@container/rows">
            <FeedHeads />
            <ul aria-label="Feeds" className="divide-y divide-border">
              {shown.map((feed) => (
                <FeedItem key={feed.id} feed={feed} asOf={asOf} mayChange={mayChange} />
              ))}
            </ul>
          </div>
        )}
      </Card>
      <p className="text-cell text-text-3">
        Added / removed: the change of the last refresh, or of the held one. Hits: requests of 24 h that a
        range of the feed decided, or would have denied in shadow.
      </p>
    </div>
  );
}
