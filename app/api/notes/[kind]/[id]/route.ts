export { getNotes as GET } from "@/lib/console/clients/note-reads.ts";

export const dynamic = "force-dynamic";
