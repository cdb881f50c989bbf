export { getUsage as GET } from "@/lib/console/customers/customer-reads.ts";
