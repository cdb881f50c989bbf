import { environment } from "../../env.ts";
import { findLink } from "../../manage/users/link.ts";
import { theConsole } from "../console.ts";
import { failureOf } from "../failure.ts";

/** What the page of a one-time link shows. Reading does not use the link up. */
export async function readWelcomePage(word: string) {
  const { publicUrl } = environment();
  const found = await findLink(theConsole().redis, word).catch((error: unknown) => failureOf(error, "read"));
  return { host: publicUrl && new URL(publicUrl).host, word, found };
}
