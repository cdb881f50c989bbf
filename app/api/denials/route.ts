export { getDenials as GET } from "@/lib/console/denials/denial-reads.ts";
