import { isObject } from "../../parse-object.ts";

/** What the data says about the use of a network. */
export const traits = ["hosting", "tor", "vpn", "proxy", "anonymous"] as const;
export type Trait = (typeof traits)[number];

/** What is known of an address. A field that the data leaves out is undefined. */
export interface NetworkFacts {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  readonly asn?: number | undefined;
  readonly asName?: string | undefined;
  readonly traits?: readonly Trait[] | undefined;
}

/** Names of a flag in the databases of MaxMind and of IPinfo. */
const flags: readonly (readonly [name: string, trait: Trait])[] = [
  ["is_hosting_provider", "hosting"],
  ["hosting", "hosting"],
  ["is_hosting", "hosting"],
  ["is_tor_exit_node", "tor"],
  ["tor", "tor"],
  ["is_tor", "tor"],
  ["is_anonymous_vpn", "vpn"],
  ["vpn", "vpn"],
  ["is_vpn", "vpn"],
  ["is_public_proxy", "proxy"],
  ["is_residential_proxy", "proxy"],
  ["is_anonymous_proxy", "proxy"],
  ["proxy", "proxy"],
  ["is_proxy", "proxy"],
  ["is_anonymous", "anonymous"],
  ["is_anonymizer", "anonymous"],
];

const longestName = 120;

/** The facts in a record of an MMDB file of MaxMind, DB-IP, IPinfo or ip-location-db. Undefined: the record has none. */
export function factsOf(record: unknown): NetworkFacts | undefined {
  if (!isObject(record)) return undefined;
  // Databases of MaxMind for enterprises have the fields of a network in "traits".
  const inner = isObject(record.traits) ? record.traits : {};
  const fields = { ...inner, ...record };
  const set = new Set(flags.flatMap(([name, trait]) => (isSet(fields[name]) ? [trait] : [])));
  // Anonymous is the general word for the others.
  if (set.has("tor") || set.has("vpn") || set.has("proxy")) set.delete("anonymous");
  const facts = {
    country: countryOf(fields),
    asn: numberOf(fields.autonomous_system_number ?? fields.asn),
    asName: nameOf(fields.autonomous_system_organization ?? fields.as_name),
    ...(set.size > 0 && { traits: traits.filter((trait) => set.has(trait)) }),
  };
  return hasAny(facts) ? facts : undefined;
}

/** The facts of both. Those of the first win, and a name is never beside the number of another. */
export function joined(first: NetworkFacts | undefined, second: NetworkFacts | undefined): NetworkFacts {
  const { asn, asName } = first?.asn === undefined ? (second ?? {}) : first;
  const isSame = asn !== undefined && second?.asn === asn;
  return {
    country: first?.country ?? second?.country,
    asn,
    asName: asName ?? (isSame ? second.asName : undefined),
    traits: first?.traits ?? second?.traits,
  };
}

export function isSame(one: NetworkFacts | undefined, other: NetworkFacts | undefined): boolean {
  return (
    one?.country === other?.country &&
    one?.asn === other?.asn &&
    one?.asName === other?.asName &&
    (one?.traits ?? []).join() === (other?.traits ?? []).join()
  );
}

const hasAny = ({ country, asn, asName, traits: set }: NetworkFacts) =>
  country !== undefined || asn !== undefined || asName !== undefined || set !== undefined;

function countryOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { country, country_code: code } = fields;
  const text = code ?? (isObject(country) ? country.iso_code : country);
  return typeof text === "string" && /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined;
}

/** A number, or a text such as "AS15169". */
function numberOf(value: unknown): number | undefined {
  const digits = typeof value === "string" ? /^(?:AS)?(\d{1,10})$/i.exec(value)?.[1] : undefined;
  const number = digits === undefined ? value : Number(digits);
  return typeof number === "number" && Number.isInteger(number) && number > 0 ? number : undefined;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.trim().slice(0, longestName);
  return name === "" ? undefined : name;
}

const isSet = (value: unknown) => value === true || value === "true" || value === 1;
