import { z } from "zod";
import { text } from "./bounds.ts";

const header = text(
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/,
  "write a header's name: letters, digits and dashes, at most 64",
).transform((name) => name.toLowerCase());
const cookie = text(
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/,
  "write a cookie's name: letters, digits and dashes, at most 64",
);
const code = text(
  /^[A-Za-z0-9_.-]{1,64}$/,
  "write a name that createGuard({ clients }) gives: letters, digits, _ . -, at most 64",
);

const plain = ["ip", "user", "customer", "path", "standard", "broad"] as const;
const says =
  `write who is counted: one of ${plain.join(", ")}, ` +
  'or { header: "name" }, { cookie: "name" }, { code: "name" }, { all: [ … ] }';

const named = { header: header.optional(), cookie: cookie.optional(), code: code.optional() };
const part = z.union([z.enum(plain), exactlyOne(z.strictObject(named, { error: says }))], { error: says });
const all = z
  .array(part, { error: "write a list of who is counted together" })
  .min(2, { error: "name at least two that are counted together" })
  .max(4, { error: "at most four are counted together" });

/** Who is counted: one thing, or several together. */
export const clientSchema = z.union(
  [z.enum(plain), exactlyOne(z.strictObject({ ...named, all: all.optional() }, { error: says }))],
  { error: says },
);

export type Client = z.output<typeof clientSchema>;

/** Does the client take this into account? */
export function counts(client: Client, what: (typeof plain)[number]): boolean {
  if (typeof client === "string") return client === what;
  return client.all?.includes(what) === true;
}

function exactlyOne<T extends z.ZodType<object>>(schema: T) {
  return schema.refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
    error: "name exactly one of header, cookie, code, all",
  });
}
