export { getAuditDetail as GET } from "@/lib/console/audit/audit-detail.ts";
