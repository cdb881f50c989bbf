import * as z from "zod/mini";
import { query } from "./query.ts";

const link = z.object({
  kind: z.enum(["client", "customer"]),
  name: z.string(),
  /** A URL with a place for the address or the customer's id. */
  template: z.string(),
  by: z.string(),
  /** ISO; "" if it is unknown. */
  at: z.string(),
});
export type LinkRow = z.output<typeof link>;

const linksReply = z.object({ links: z.array(link) });

/** Links to other systems, of clients and of customers. */
export const links = () => query(["links"], "/api/links", linksReply);
