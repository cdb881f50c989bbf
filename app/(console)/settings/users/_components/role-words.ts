import { type Role, roles } from "../../../../../lib/auth/roles.ts";

/** What somebody with this role may do, in a line. */
export const roleWords: Readonly<Record<Role, string>> = {
  viewer: "Reads everything but users, and changes nothing.",
  staff:
    "Blocks and safelists for a time, eases enforcement off in an emergency, clears a client at the edge.",
  support: "Changes customers: tier, own levels, counters.",
  admin: "Everything, also policy, users, never-block ranges, and back to enforce.",
};

export const roleOptions = roles.map((value) => ({
  value,
  title: value[0]?.toUpperCase() + value.slice(1),
  children: roleWords[value],
}));
