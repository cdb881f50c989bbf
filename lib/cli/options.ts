interface Option {
  /** How its value is called; nothing for a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly says: string;
}

/** Every option of every command: a name means the same wherever it is taken. */
export const optionTable = {
  ttl: { value: "<duration>", says: "90s, 30m, 24h, 7d, 1w or never; 1w unless chosen" },
  reason: { value: "<text>", says: "why; colleagues and the audit log see it" },
  confirm: { value: "<range>", says: "a range wider than /24 (IPv6 /48), typed again; may be repeated" },
  force: { says: "let an entry end earlier than it does now" },
  search: { value: "<ip|cidr>", says: "only what covers it, or lies inside it" },
  limit: { value: "<n|all>", says: "how many entries to show; 100 unless chosen" },
  "only-valid": { says: "write the valid lines although others are bad" },
  "dry-run": { says: "say what would happen, and write nothing" },
  json: { says: "one JSON document on stdout, errors too" },
  redis: { value: "<url>", says: "the control server; REDIS_URL unless given" },
  help: { short: "h", says: "explain the command" },
  version: { says: "print the version" },
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
