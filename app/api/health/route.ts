export { getHealth as GET } from "@/lib/console/status/health.ts";

export const dynamic = "force-dynamic";
