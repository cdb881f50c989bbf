"use client";

import { Plus, RefreshCw, Rss } from "lucide-react";
import { useState } from "react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { LivePage } from "@/components/console/live-page.tsx";
import { OlderNodes } from "@/components/console/older-nodes.tsx";
import { useLiveQuery } from "@/components/console/use-live.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
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
  const refreshAll = async (found: FeedsReply) => {
    for (const { id, isPaused } of found.feeds)
      if (!isPaused) await change(undefined, () => refreshFeed({ id }));
  };
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => setIsAdding(true)}>
      Add feed
    </Button>
  );
  return (
    <>
      <LivePage
        title="Feeds"
        facts={(found) => `${sayFeeds(found)} · an entry or a protected range always wins`}
        actions={
          <>
            {mayChange && (
              <>
                {data && data.feeds.length > 0 && (
                  <Button icon={<RefreshCw />} isBusy={isBusy} onClick={() => void refreshAll(data)}>
                    Refresh all
                  </Button>
                )}
                {add}
              </>
            )}
            <AskButton needs="feeds" kind="change" target="the feeds" />
          </>
        }
        read={read}
        name="the feeds"
        rows={{ rows: 6, columns: [5, 2, 2, 3, 2], rowHeight: 46, hasHead: true }}
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
      >
        {(found) => <FeedList found={found} mayChange={mayChange} />}
      </LivePage>
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
      <OlderNodes nodes={oldNodes} without="feeds">
        enforce no feed. Update their app, or give their Redis account the new rights.
      </OlderNodes>
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
