export { getCustomers as GET } from "@/lib/console/customers/customer-reads.ts";
