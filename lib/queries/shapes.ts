import * as z from "zod/mini";
import type { Mode } from "../enforce/policy/schema.ts";
import type { Role } from "../manage/users/roles.ts";
import type { ListName } from "../redis/keys.ts";

export const mode = z.enum(["enforce", "shadow", "off"] satisfies Mode[]);
export const list = z.enum(["safelist", "blocklist"] satisfies ListName[]);
export const role = z.enum(["viewer", "staff", "support", "admin"] satisfies Role[]);

/** One limit of a customer or tier. */
export const level = z.object({
  limit: z.number(),
  periodSeconds: z.number(),
  ...{
    period: z.optional(z.enum(["day", "month"])),
    timeZone: z.optional(z.string()),
    startsOn: z.optional(z.number()),
  },
});

/** `month in Europe/Berlin`, for a level that counts in a day or month of the calendar. */
export const calendar = z.optional(z.string());

/** An address or network, with its requests and denials in a period. */
export const clientCount = z.object({ client: z.string(), requests: z.number(), denied: z.number() });
