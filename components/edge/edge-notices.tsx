import { TriangleAlert } from "lucide-react";
import { Banner } from "@/components/ui/banner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import type { EdgeReply } from "@/lib/queries/edge.ts";

const longestProblem = 600;

/** Why the edges are not in sync. */
export function EdgeNotices({ edge: { problem, isStale, asOf, last } }: { edge: EdgeReply }) {
  if (problem !== null)
    return (
      <Banner tone="blocked" title="This console does not sync the edge: its settings are wrong">
        <Untrusted text={problem} max={longestProblem} />{" "}
        {isStale
          ? "No other console does, so the edges keep what they hold. Fix the settings, then restart the console."
          : "Another console syncs the edges."}
      </Banner>
    );
  if (!isStale) return null;
  if (last === null)
    return (
      <Banner tone="plain" title="The edges have not been synced yet">
        The first sync runs within 10 s after a console starts.
      </Banner>
    );
  return (
    <Banner
      tone="blocked"
      icon={<TriangleAlert />}
      title={`Edge sync has been stopped for ${durationText(asOf - last.at)}`}
    >
      Denied clients stay denied, and no other client is added. One of the consoles that reach Redis syncs the
      edges each second. The console's log has the cause.
    </Banner>
  );
}
