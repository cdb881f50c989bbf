import { environment } from "../../env.ts";
import { AlarmKeeper } from "../../manage/alarms/keeper.ts";
import { postAlarm } from "../../manage/alarms/post-alarm.ts";
import type { AlarmSender } from "../../manage/alarms/send-deliveries.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";
import { alarmSettings } from "./alarm-context.ts";
import { FleetObserver } from "./observe-fleet.ts";
import { sendMail } from "./send-mail.ts";

/** Raises alarms while this console runs. Of all consoles, one does. */
export function theAlarmKeeper(): AlarmKeeper | undefined {
  return oncePerProcess("alarm keeper", () => {
    const { redisUrl, secret, publicUrl } = environment();
    if (redisUrl === undefined || secret === undefined) return undefined;
    const { secrets } = alarmSettings();
    const observer = new FleetObserver();
    const keeper = new AlarmKeeper({
      ...{ redis: theConsole().redis, secrets, send: senderOf(), publicUrl },
      observe: (stored) => observer.observe(stored),
    });
    void keeper.run();
    return keeper;
  });
}

function senderOf(): AlarmSender {
  const { smtpUrl, mailFrom, alarmsToPrivate = false } = environment();
  return (destination, secret, message) =>
    destination.kind === "email"
      ? sendMail(secret, message, { smtpUrl, mailFrom })
      : postAlarm(destination, secret, message, { allowsPrivate: alarmsToPrivate });
}
