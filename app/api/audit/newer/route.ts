export { getNewerRecords as GET } from "@/lib/console/audit/read-page.ts";
