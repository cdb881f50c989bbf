import { useStanding } from "../../../components/shell/status.tsx";
import { may } from "../../../lib/auth/roles.ts";

/** Whether there is a mode that this person may switch to: whoever may not ease off may not enforce either. */
export function useMaySwitch(): boolean {
  const { known } = useStanding();
  return known !== undefined && may(known.you.role, "ease-off");
}
