interface Option {
  /** How its value is called; nothing for a switch. */
  readonly value?: string;
  /** The value may be left out. */
  readonly isOptional?: boolean;
  readonly short?: string;
  readonly says: string;
}

/** Every option of every command: a name means the same wherever it is taken. */
export const optionTable = {
  ttl: { value: "<duration>", says: "90s, 30m, 24h, 7d, 1w or never; 1w unless chosen" },
  reason: { value: "<text>", says: "why; colleagues and the audit log see it" },
  confirm: { value: "<range>", says: "a range wider than /24 (IPv6 /48), typed again; may be repeated" },
  force: { says: "let an entry end earlier than it does now" },
  search: {
    value: "<text>",
    says: "an address: what covers it, or lies inside it; a customer: how ids begin",
  },
  limit: { value: "<n|all>", says: "how many to show; 100 unless chosen" },
  expires: { value: "<duration>", says: "90s, 30m, 24h, 7d, 1w or never; never unless chosen" },
  clear: { says: "take the customer's own levels away" },
  "based-on": { value: "<n>", says: "the version this is made from; refused if another is in force by now" },
  "only-valid": { says: "write the valid lines although others are bad" },
  "dry-run": { says: "say what would happen, and write nothing" },
  app: { value: "<name>", says: "as if the app of this name were asked, for rules that name apps" },
  path: { value: "<path>", says: "as if this were asked for; / unless given" },
  method: { value: "<method>", says: "as if asked by this method; GET unless given" },
  customer: { value: "<id>", says: "as if this customer asked" },
  role: { value: "<role>", says: "viewer, staff, support or admin" },
  url: { value: "<url>", says: "where browsers reach the console; NEXTAUTH_URL unless given" },
  json: { says: "one JSON document on stdout, errors too" },
  redis: { value: "<url>", says: "the control server; REDIS_URL unless given" },
  help: { short: "h", says: "explain the command" },
  version: { value: "<n>", isOptional: true, says: "that version; without a number, that of sluice itself" },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof optionTable;

/** Taken by every command. */
export const commonOptions: readonly OptionName[] = ["json", "redis", "help"];

export const optionNames = Object.keys(optionTable).filter(isOptionName);

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

export function optionOf(name: OptionName): Option {
  return optionTable[name];
}

/** What was given on a command line. */
export class Options {
  readonly #given: ReadonlyMap<OptionName, readonly string[]>;

  constructor(given: ReadonlyMap<OptionName, readonly string[]>) {
    this.#given = given;
  }

  get names(): readonly OptionName[] {
    return [...this.#given.keys()];
  }

  has(name: OptionName): boolean {
    return this.#given.has(name);
  }

  /** The last value wins. */
  text(name: OptionName): string | undefined {
    return this.#given.get(name)?.at(-1);
  }

  texts(name: OptionName): readonly string[] {
    return this.#given.get(name) ?? [];
  }
}
