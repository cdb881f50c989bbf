export { getNeverBlock as GET } from "@/lib/console/lists/list-reads.ts";

export const dynamic = "force-dynamic";
