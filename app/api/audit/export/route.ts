export { getAuditExport as GET } from "@/lib/console/audit/audit-export.ts";
