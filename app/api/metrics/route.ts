export { getMetrics as GET } from "@/lib/console/metrics/scrape.ts";

export const dynamic = "force-dynamic";
