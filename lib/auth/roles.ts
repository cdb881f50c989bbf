export const roles = ["viewer", "staff", "support", "admin"] as const;
export type Role = (typeof roles)[number];

/** Everything that is not free to everybody, and who may do it. */
const permissions = {
  /** Everything but users and secrets. */
  read: ["viewer", "staff", "support", "admin"],
  /** Blocklist and safelist, for a time. */
  lists: ["staff", "admin"],
  "lists-forever": ["admin"],
  /** Tier, override, counters of a customer. */
  customers: ["support", "admin"],
  /** The mode into shadow or off, in an emergency. */
  "ease-off": ["staff", "admin"],
  /** The mode back to enforce. */
  enforce: ["admin"],
  policy: ["admin"],
  edge: ["admin"],
  "clear-edge": ["staff", "admin"],
  users: ["admin"],
  "never-block": ["admin"],
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
