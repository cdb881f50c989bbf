export { getStatus as GET } from "@/lib/console/status/read-status.ts";
