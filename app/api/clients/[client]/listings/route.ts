export { getClientListings as GET } from "@/lib/console/clients/client-reads.ts";
