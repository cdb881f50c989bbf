import { environment } from "../../env.ts";
import { alarmSecrets } from "../../manage/alarms/alarm-secrets.ts";
import type { AlarmContext } from "../../manage/alarms/change-destination.ts";
import { theConsole } from "../console.ts";

/** What verbs of alarms take beside the context of an action. */
export function alarmSettings(): Pick<AlarmContext, "secrets" | "allowsPrivate" | "hasMail"> {
  const { alarmsToPrivate = false, smtpUrl, mailFrom } = environment();
  return {
    secrets: alarmSecrets(theConsole().secret),
    allowsPrivate: alarmsToPrivate,
    hasMail: smtpUrl !== undefined && mailFrom !== undefined,
  };
}
