export { getAlarms as GET } from "@/lib/console/alarms/alarm-reads.ts";
