export { getLimitedClients as GET } from "@/lib/console/edge/edge-reads.ts";
