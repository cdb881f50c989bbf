export { getRates as GET } from "@/lib/console/stats/judged-rates.ts";
