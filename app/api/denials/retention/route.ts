export { getRetention as GET } from "@/lib/console/denials/denial-reads.ts";
