export { getExpiring as GET } from "@/lib/console/lists/list-reads.ts";
