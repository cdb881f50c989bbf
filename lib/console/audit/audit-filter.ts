import { z } from "zod";
import type { HistoryFilter } from "../../manage/audit/filter.ts";
import { may, type Role } from "../../manage/users/roles.ts";

const text = z.string().max(200).optional();
const moment = z
  .string()
  .max(40)
  .refine((given) => !Number.isNaN(Date.parse(given)))
  .transform((given) => Date.parse(given))
  .optional();

/** What is looked for, as every read of the log takes it. */
export const filterFields = {
  actor: text,
  action: text,
  target: text,
  via: text,
  from: moment,
  to: moment,
  text,
};

export const filterSearch = z.object(filterFields);

/** What was left empty is not looked for. */
export function filterOf(search: z.output<typeof filterSearch>): HistoryFilter {
  const { actor, action, target, via, from, to, text } = search;
  const wished = Object.entries({ actor, action, target, via, from, to, text });
  return Object.fromEntries(wished.filter(([, value]) => value !== undefined && value !== ""));
}

/** What tells of users is only for who may read of users. */
export function filterFor(role: Role, filter: HistoryFilter): HistoryFilter {
  return may(role, "users") ? filter : { ...filter, isWithoutUsers: true };
}
