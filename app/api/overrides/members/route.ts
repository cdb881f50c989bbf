export { getGroupMembers as GET } from "@/lib/console/overrides/override-reads.ts";
