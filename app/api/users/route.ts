export { getUsers as GET } from "@/lib/console/stored-users.ts";

export const dynamic = "force-dynamic";
