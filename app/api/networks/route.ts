export { postNetworks as POST } from "@/lib/console/networks/network-reads.ts";
