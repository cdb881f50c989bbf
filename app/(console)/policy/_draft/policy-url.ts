/** What the address bar says of this page. */
export interface PolicyUrl {
  readonly view: "form" | "json";
  /** Whose editor is open. */
  readonly rule: string | undefined;
  /** For which a limit is looked for. */
  readonly find: string | undefined;
  readonly span: "1h" | "24h";
}

interface Search {
  get(name: string): string | null;
}

export function readPolicyUrl(search: Search): PolicyUrl {
  return {
    view: search.get("view") === "json" ? "json" : "form",
    rule: search.get("rule") ?? undefined,
    find: search.get("find") ?? undefined,
    span: search.get("span") === "24h" ? "24h" : "1h",
  };
}

/** Nothing for what is so anyway. */
export function writePolicyUrl({ view, rule, find, span }: PolicyUrl): string {
  const set = new URLSearchParams();
  if (view === "json") set.set("view", view);
  if (rule !== undefined) set.set("rule", rule);
  if (find !== undefined) set.set("find", find);
  if (span !== "1h") set.set("span", span);
  return set.size > 0 ? `?${set}` : "";
}
