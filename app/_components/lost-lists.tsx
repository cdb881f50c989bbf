"use client";

import { LossBanner } from "../../components/loss-banner.tsx";
import { useStanding } from "../../components/shell/status.tsx";
import { may, rolesThatMay } from "../../lib/auth/roles.ts";
import { dismissLoss, restoreLists } from "../_actions/restore.ts";

const actions = { restore: restoreLists, dismiss: dismissLoss };

/** On every page for as long as Redis lacks lists that the console still holds. */
export function LostLists() {
  const { known } = useStanding();
  if (!known) return null;
  return (
    <LossBanner
      actions={actions}
      mayRestore={may(known.you.role, "restore")}
      whoMay={rolesThatMay("restore")}
    />
  );
}
