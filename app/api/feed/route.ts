export { getFeed as GET } from "@/lib/console/stats/stats-reads.ts";
