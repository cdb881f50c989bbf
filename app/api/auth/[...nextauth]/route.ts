export { handleSignIn as GET, handleSignIn as POST } from "@/lib/console/session/next-auth.ts";
