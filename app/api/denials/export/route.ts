export { getDenialsExport as GET } from "@/lib/console/denials/denial-reads.ts";
