"use client";

import { Siren } from "lucide-react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useByNow } from "@/components/ui/now.ts";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { durationText, minuteText } from "@/components/ui/value-text.ts";
import { may } from "@/lib/manage/users/roles.ts";
import type { Status } from "@/lib/queries/status.ts";
import { useAttackSwitch } from "./attack-switch.tsx";

/** Shown on every page while attack mode is on. */
export function AttackBanner({ known, attack }: { known: Status; attack: NonNullable<Status["attack"]> }) {
  const open = useAttackSwitch();
  const left = useByNow((now) => sayLeft(attack.untilMs - now));
  const where = attack.apps ? attack.apps.join(", ") : "all apps";
  return (
    <Banner
      tone="throttled"
      icon={<Siren />}
      title={
        <>
          Attack mode is on for <Untrusted text={where} max={120} /> until {minuteText(attack.untilMs)} UTC:{" "}
          {left}
        </>
      }
      actions={
        <>
          {may(known.you.role, "ease-off") && <Button onClick={open}>Change or end</Button>}
          <AskButton needs="ease-off" kind="change" target="attack mode: end or prolong" />
        </>
      }
    >
      <Untrusted text={attack.by} max={80} />: <Untrusted text={attack.reason} max={300} />
    </Banner>
  );
}

/** Once a minute, because screen readers read the banner again. */
function sayLeft(ms: number): string {
  return ms < 60_000 ? "under 1 min left" : `${durationText(Math.ceil(ms / 60_000) * 60_000)} left`;
}
