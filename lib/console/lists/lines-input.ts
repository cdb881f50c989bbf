import { z } from "zod";
import { type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";

export const list = z.enum(["safelist", "blocklist"]);

export const address = z.string().transform((given, context): Ip | Cidr => {
  const parsed = parseAddress(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: "custom", message: parsed.reason });
  return z.NEVER;
});

/** Lines that are previewed, and then written as they were previewed. */
export const linesInput = {
  list,
  /** A request has a megabyte in all. */
  text: z.string().max(1_000_000),
  ttlMs: z.number().int().nullable(),
  reason: z.string().max(10_000),
  /** Wide ranges that were typed again. */
  confirmed: z.array(address).max(1_000),
};
