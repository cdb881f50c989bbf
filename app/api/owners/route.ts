export { postOwners as POST } from "@/lib/console/clients/client-reads.ts";
