export { getFeeds as GET } from "@/lib/console/feeds/feed-reads.ts";
