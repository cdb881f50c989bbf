export { getClientReach as GET } from "@/lib/console/clients/client-reads.ts";
