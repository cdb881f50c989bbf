export { getHeldFeed as GET } from "@/lib/console/feeds/held-feed.ts";
