"use server";

import { z } from "zod";
import {
  acknowledgeIncident as acknowledge,
  sendAgain as again,
  testDestination as test,
} from "../../manage/alarms/acknowledge.ts";
import {
  addDestination as add,
  changeDestination as change,
  removeDestination as remove,
} from "../../manage/alarms/change-destination.ts";
import { changeCondition as changeTheCondition } from "../../manage/alarms/conditions.ts";
import { alarmKinds, destinationKinds } from "../../manage/alarms/kinds.ts";
import { action } from "../action.ts";
import { alarmSettings } from "../alarms/alarm-context.ts";

const id = z.string().max(60);
const kinds = z.array(z.enum(alarmKinds)).max(alarmKinds.length);

/** Adds a destination of alarms. The signing key of a webhook is in this answer alone. */
export const addDestination = action({
  name: "alarm.add",
  needs: "alarms",
  input: z.object({
    name: z.string().max(200),
    kind: z.enum(destinationKinds),
    to: z.string().max(4_000),
    token: z.string().max(400).optional(),
    alarms: kinds,
  }),
  async run(ctx, input) {
    const { destination, signingKey } = await add({ ...alarmSettings(), ...ctx }, input);
    return { name: destination.name, signingKey };
  },
});

export const changeDestination = action({
  name: "alarm.change",
  needs: "alarms",
  input: z.object({ id, isOn: z.boolean().optional(), alarms: kinds.optional() }),
  async run(ctx, input) {
    await change(ctx, input);
    return {};
  },
});

export const removeDestination = action({
  name: "alarm.remove",
  needs: "alarms",
  input: z.object({ id }),
  async run(ctx, input) {
    await remove(ctx, input);
    return {};
  },
});

/** Queues a test message. Its result is in the destination's last message. */
export const testDestination = action({
  name: "alarm.test",
  needs: "alarms",
  input: z.object({ id }),
  run: async (ctx, input) => ({ message: (await test(ctx, input)).message }),
});

export const changeCondition = action({
  name: "alarm.condition",
  needs: "alarms",
  input: z.object({ kind: z.enum(alarmKinds), isOn: z.boolean().optional(), quietMs: z.number().optional() }),
  run: changeTheCondition,
});

export const sendAgain = action({
  name: "alarm.resend",
  needs: "alarms",
  input: z.object({ id }),
  async run(ctx, input) {
    await again(ctx, input);
    return {};
  },
});

export const acknowledgeIncident = action({
  name: "alarm.acknowledge",
  needs: "acknowledge",
  input: z.object({ id }),
  run: acknowledge,
});
