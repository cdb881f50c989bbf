import { handleApi } from "@/lib/console/api/handle.ts";

export const dynamic = "force-dynamic";

export { handleApi as DELETE, handleApi as GET, handleApi as PATCH, handleApi as POST, handleApi as PUT };
