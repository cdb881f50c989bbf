export { getAuditPage as GET } from "@/lib/console/audit/read-page.ts";
