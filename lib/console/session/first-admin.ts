import { environment } from "../../env.ts";
import { welcomeFirstAdmin } from "../../manage/users/first-admin.ts";
import { FirstAdminWatch } from "../../manage/users/first-admin-watch.ts";
import { argon2id } from "../../manage/users/password.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";

export const firstAdminHome = "first admin";

/** Makes the first admin where there is no user: at the start, and after Redis came back empty. */
export function welcome(): Promise<void> {
  const env = environment();
  const watch = oncePerProcess(firstAdminHome, () => new FirstAdminWatch(theConsole().redis, env).start());
  return welcomeFirstAdmin(env, argon2id, console.warn, watch);
}
