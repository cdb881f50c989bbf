import { durationText } from "@/components/ui/value-text.ts";
import { readBlock } from "@/lib/ip/parse.ts";
import type { FeedParameters, FeedReply } from "@/lib/queries/feed.ts";

/** What a text means: a path begins with "/", a client is an address, and anything else is a rule or entry. */
export function filterOf(text: string): Pick<FeedParameters, "client" | "rule" | "path"> {
  if (text === "") return {};
  if (text.startsWith("/")) return { path: text };
  return readBlock(text) ? { client: text } : { rule: text };
}

/** How far back the feed reaches: `samples of the last 40 s`. Undefined without samples. */
export function sayReach({ asOf, since }: Pick<FeedReply, "asOf" | "since">): string | undefined {
  return since === null ? undefined : `samples of the last ${durationText(Math.max(1_000, asOf - since))}`;
}
