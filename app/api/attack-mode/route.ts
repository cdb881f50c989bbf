export { getAttackMode as GET } from "@/lib/console/policy/attack-preview.ts";
