import type { Metadata } from "next";
import { LiveProvider } from "@/components/console/use-live.tsx";
import { FeedsView } from "@/components/feeds/feeds-view.tsx";
import { getFeeds } from "@/lib/console/feeds/feed-reads.ts";
import { Prefetched, pageRead } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { may } from "@/lib/manage/users/roles.ts";
import { feeds } from "@/lib/queries/feeds.ts";

export const metadata: Metadata = { title: "Feeds" };

/** Sources of addresses for the lists. */
export default async function FeedsPage() {
  const { role } = await requireSignedIn();
  return (
    <Prefetched reads={[pageRead(feeds(), getFeeds, {})]}>
      <LiveProvider>
        <FeedsView mayChange={may(role, "feeds")} />
      </LiveProvider>
    </Prefetched>
  );
}
