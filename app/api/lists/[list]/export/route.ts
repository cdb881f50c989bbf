export { getListExport as GET } from "@/lib/console/lists/list-reads.ts";
