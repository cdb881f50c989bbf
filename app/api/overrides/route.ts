export { getOverrides as GET } from "@/lib/console/overrides/override-reads.ts";
