export { getSituation as GET } from "@/lib/console/stats/read-situation.ts";
