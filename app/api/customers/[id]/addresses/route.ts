export { getCustomerAddresses as GET } from "@/lib/console/customers/customer-addresses.ts";
