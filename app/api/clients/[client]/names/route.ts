export { getClientNames as GET } from "@/lib/console/networks/network-reads.ts";
