export { getCustomerReplay as GET } from "@/lib/console/customers/customer-day.ts";
