export const roles = ["viewer", "staff", "support", "admin"] as const;
export type Role = (typeof roles)[number];

/** The permissions, and the roles that have them. */
const permissions = {
  /** Everything but users and secrets. */
  read: ["viewer", "staff", "support", "admin"],
  /** Blocklist and safelist, for as long as staff may choose (`longestOfStaffMs`). */
  lists: ["staff", "admin"],
  /** Entries that last longer, or never end. */
  "lists-forever": ["admin"],
  /** Records of the audit log: the least of what a record may need (`undoable`). */
  undo: ["staff", "support", "admin"],
  /** Tier, override, counters of a customer. */
  customers: ["support", "admin"],
  /** The mode into shadow or off, in an emergency. */
  "ease-off": ["staff", "admin"],
  /** The mode back to enforce. */
  enforce: ["admin"],
  /** Notes and the ticket of a client, and of a customer. */
  "client-notes": ["staff", "admin"],
  "customer-notes": ["support", "admin"],
  /** Links to other systems. */
  links: ["admin"],
  policy: ["admin"],
  edge: ["admin"],
  "clear-edge": ["staff", "admin"],
  feeds: ["admin"],
  /** Destinations of alarms, and when alarms are raised. */
  alarms: ["admin"],
  /** Incidents that have been seen. */
  acknowledge: ["staff", "support", "admin"],
  /** A request to staff: every role lacks a permission of another one, but admins. */
  ask: ["viewer", "staff", "support"],
  /** Requests of others. */
  decide: ["staff", "admin"],
  /** How long the log of denied requests is kept. */
  "denial-log": ["admin"],
  users: ["admin"],
  /** What doctor finds about secrets, passwords and encryption. */
  secrets: ["admin"],
  "never-block": ["admin"],
  /** Tokens of the API. */
  tokens: ["admin"],
  /** Lists back from the console's own copy. */
  restore: ["admin"],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export function may(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = permissions[permission];
  return allowed.includes(role);
}

/** For the sentence that refuses: "staff or admin". */
export function rolesThatMay(permission: Permission): string {
  return permissions[permission].join(" or ");
}

export function isRole(text: unknown): text is Role {
  return roles.some((role) => role === text);
}
