export { getChangeProgress as GET } from "@/lib/console/stats/stats-reads.ts";
