import { z } from "zod";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { parseDuration } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { parseAddress } from "../../ip/parse.ts";

/** Fields of requests that several operations have. */
export const none = z.strictObject({});

export const reason = z
  .string()
  .trim()
  .max(500, "write at most 500 characters")
  .default("")
  .describe("Why. The console and the audit log show it, clients never see it.");

export const address = z
  .string()
  .max(100, "write an address or a range")
  .transform((text, context) => {
    const parsed = parseAddress(text);
    if (parsed.ok) return parsed.value;
    const hint = parsed.suggestion === undefined ? "" : `; did you mean ${parsed.suggestion}?`;
    context.addIssue({ code: "custom", message: `${parsed.reason}${hint}` });
    return z.NEVER;
  })
  .describe("An IPv4 or IPv6 address, or a range in CIDR notation.");

export const customerId = z
  .string()
  .transform((text, context) => {
    const parsed = parseCustomerId(text);
    if (parsed.ok) return parsed.value;
    context.addIssue({ code: "custom", message: parsed.reason });
    return z.NEVER;
  })
  .describe("A customer's ID: letters, digits and _ . @ -, at most 64.");

/** Ms; null for never. */
export const expiresIn = z
  .string()
  .max(40)
  .transform((text, context) => {
    const parsed = parseDuration(text);
    if (parsed.ok) return parsed.value;
    context.addIssue({ code: "custom", message: parsed.reason });
    return z.NEVER;
  });

/** Ms by the clock of Redis. */
export const until = z.iso
  .datetime({ offset: true, error: "write a time such as 2026-03-28T18:00:00Z" })
  .transform((text) => Date.parse(text));

export const cursor = z.string().max(2_000).optional().describe("`next` of the page before.");

/** How many rows a page has. */
export const pageSize = (most: number) =>
  z.coerce
    .number({ error: `write a number from 1 to ${most}` })
    .int()
    .min(1, `write a number from 1 to ${most}`)
    .max(most, `write a number from 1 to ${most}`)
    .default(100)
    .describe(`How many, at most ${most}.`);

interface ItemPage<T> {
  readonly items: T[];
  /** Null on the last one. */
  readonly next: string | null;
}

/** A page of what is read at once. The cursor is the id of the last item: without it, nothing follows. */
export function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): ItemPage<T> {
  const last = all.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && last === -1)
    throw new DomainError("bad-input", "The page before is no longer known. Begin again without cursor.", {
      cursor: "write `next` of the page before",
    });
  const items = all.slice(last + 1, last + 1 + limit);
  const isMore = last + 1 + limit < all.length;
  return { items, next: isMore ? (items.at(-1)?.id ?? null) : null };
}

export const wholeNumber = (what: string, least = 0) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `write ${what}`)
    .transform(Number)
    .refine((number) => number >= least, `write ${what}`);
