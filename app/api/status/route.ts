export { getStatus as GET } from "@/lib/console/status/status-of.ts";
