export { getPolicy as GET } from "@/lib/console/policy/policy-page.ts";
