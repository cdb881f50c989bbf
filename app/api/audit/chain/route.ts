export { getChainCheck as GET } from "@/lib/console/audit/chain-check.ts";
