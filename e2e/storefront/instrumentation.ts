import { register as start } from "sluice/next";

export async function register() {
  if (process.env.NEXT_RUNTIME !== "edge") await start(() => import("./proxy"));
}
