import type { Route } from "next";
import { redirect } from "next/navigation";

/** The one place where a path that was put together becomes a redirect. */
export function leadTo(path: string): never {
  redirect(path as Route);
}
