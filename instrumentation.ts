export { register } from "./lib/guard/next.ts";
