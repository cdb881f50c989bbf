export { getTokens as GET } from "@/lib/console/stored-tokens.ts";

export const dynamic = "force-dynamic";
