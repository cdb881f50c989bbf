export { getShadowClients as GET } from "@/lib/console/policy/shadow-clients.ts";
