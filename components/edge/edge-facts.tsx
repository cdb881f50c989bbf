import { Check, Eye, Power, TriangleAlert, Unplug } from "lucide-react";
import { Switched } from "@/components/console/switched.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import type { EdgeReply } from "@/lib/queries/edge.ts";
import { type Hindrance, hindranceOf, lapseOf, sayLimited } from "./edge-words.ts";

const looks = {
  unconnected: { tone: "plain", icon: <Unplug />, word: "Not connected" },
  off: { tone: "throttled", icon: <Power />, word: "Off" },
  shadow: { tone: "shadow", icon: <Eye />, word: "Shadow" },
  "mode-off": { tone: "blocked", icon: <Power />, word: "Mode off" },
} as const satisfies Record<Hindrance, unknown>;
const on = { tone: "pass", icon: <Check />, word: "On" } as const;
const unfollowed = { tone: "throttled", icon: <TriangleAlert />, word: "On, not in sync" } as const;

/** On or off, number of denied clients, and author of the switch. */
export function EdgeFacts({ edge }: { edge: EdgeReply }) {
  const hindrance = hindranceOf(edge);
  const look = hindrance ? looks[hindrance] : lapseOf(edge) ? unfollowed : on;
  // While it is off, the banner says that.
  const isTold = edge.isOn || hindrance === "unconnected";
  return (
    <>
      <Badge tone={look.tone} icon={look.icon} isLarge>
        {look.word}
      </Badge>
      <span className="text-body text-text-2">{sayLimited(edge)}</span>
      {isTold && edge.switched && (
        <span>
          <Switched {...edge.switched} to={edge.isOn ? "on" : "off"} />
        </span>
      )}
    </>
  );
}
