export { getCustomerDay as GET } from "@/lib/console/customers/customer-day.ts";
