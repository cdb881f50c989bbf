export { getDoctorReport as GET } from "@/lib/console/status/doctor-report.ts";

export const dynamic = "force-dynamic";
