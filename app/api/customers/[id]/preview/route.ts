export { getLevelsPreview as GET } from "@/lib/console/customers/customer-reads.ts";
