export { getDeniedPaths as GET } from "@/lib/console/stats/stats-reads.ts";
