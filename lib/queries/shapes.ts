import { z } from "zod";
import type { Mode } from "../enforce/policy/schema.ts";
import type { Role } from "../manage/users/roles.ts";
import type { ListName } from "../redis/keys.ts";

export const mode = z.enum(["enforce", "shadow", "off"] satisfies Mode[]);
export const list = z.enum(["safelist", "blocklist"] satisfies ListName[]);
export const role = z.enum(["viewer", "staff", "support", "admin"] satisfies Role[]);

/** One limit of a customer or tier. */
export const level = z.object({ limit: z.number(), periodSeconds: z.number() });

/** An address or network, with its requests and denials in a period. */
export const clientCount = z.object({ client: z.string(), requests: z.number(), denied: z.number() });
