import { TriangleAlert } from "lucide-react";
import { Banner } from "../../../../components/ui/banner.tsx";
import { durationText } from "../../../../components/ui/duration-text.ts";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { EdgeReply } from "../../../../lib/queries/edge.ts";

const longestProblem = 600;

/** What keeps the edges from following. */
export function EdgeNotices({ edge: { problem, isStale, asOf, last } }: { edge: EdgeReply }) {
  if (problem !== null)
    return (
      <Banner tone="blocked" title="This console does not sweep the edge: its settings are wrong">
        <Untrusted text={problem} max={longestProblem} />{" "}
        {isStale
          ? "Nobody else does either, so what the edges hold stays as it is. Mend it, and start the console again."
          : "Another console sweeps."}
      </Banner>
    );
  if (!isStale) return null;
  if (last === null)
    return (
      <Banner tone="plain" title="Nobody has swept yet">
        The first sweep comes within ten seconds of a console's start.
      </Banner>
    );
  return (
    <Banner
      tone="blocked"
      icon={<TriangleAlert />}
      title={`Nobody has swept for ${durationText(asOf - last.at)}: what the edges hold stays as it was`}
    >
      Who is turned away stays so, and nobody new is. Each console that reaches Redis can sweep, and one of
      them does it once a second; the console's log says what keeps it from that.
    </Banner>
  );
}
