import { handleBouncer } from "@/lib/console/bouncers/handle-bouncer.ts";

export const dynamic = "force-dynamic";

export { handleBouncer as GET, handleBouncer as HEAD };
