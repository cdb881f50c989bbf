"use client";

import { Eye, Power } from "lucide-react";
import type { Status } from "../../lib/queries/status.ts";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import { Timestamp } from "../ui/timestamp.tsx";
import { Untrusted } from "../ui/untrusted.tsx";
import { useModeSwitch } from "./mode-switch.ts";

const looks = {
  shadow: { tone: "shadow", icon: <Eye />, title: "Shadow: rules only report, both lists still stop" },
  off: { tone: "blocked", icon: <Power />, title: "Off: nothing stops anyone, the blocklist neither" },
} as const;

/** Stands on every page for as long as somebody has switched enforcement down. */
export function ModeBanner({ known }: { known: Status }) {
  const openSwitch = useModeSwitch();
  const { mode, modeSince, you } = known;
  if (mode === "enforce") return null;
  const canEnd = you.role === "admin";
  return (
    <Banner
      {...looks[mode]}
      actions={<Button onClick={openSwitch}>{canEnd ? "Switch back" : "Change mode"}</Button>}
    >
      {modeSince && <Since since={modeSince} />}
      {!canEnd && " An admin can switch back."}
    </Banner>
  );
}

function Since({ since: { at, by, reason } }: { since: NonNullable<Status["modeSince"]> }) {
  return (
    <>
      Switched {at && <Timestamp at={at} />} by <Untrusted text={by ?? "somebody"} max={80} />
      {reason === "" ? (
        ", without a reason."
      ) : (
        <>
          : “<Untrusted text={reason} max={300} />
          ”.
        </>
      )}
    </>
  );
}
