import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseObject } from "../../parse-object.ts";

/** A package of the npm registry with data on networks. */
export interface EmbeddedPackage {
  readonly name: string;
  readonly files: readonly string[];
  /** When the data were made. */
  readonly madeAt: Date | undefined;
}

export interface EmbeddedData {
  readonly country: EmbeddedPackage | undefined;
  readonly as: EmbeddedPackage | undefined;
}

const packages = {
  country: ["@ip-location-db/geo-whois-asn-country-mmdb", ["geo-whois-asn-country.mmdb"]],
  as: ["@ip-location-db/asn", ["asn-ipv4.csv", "asn-ipv6.csv"]],
} as const;
const manifest = "package.json";

/**
 * The data that `npm run up` installs beside the console. The packages are too large to be dependencies of the library, so where the
 * command line runs without the console they are missing.
 * @param from folders from which the packages are searched upwards, as Node does
 */
export function embeddedData(from = [process.cwd(), dirname(process.argv[1] ?? "/")]): EmbeddedData {
  return { country: found(packages.country, from), as: found(packages.as, from) };
}

type Wanted = (typeof packages)[keyof typeof packages];

function found([name, files]: Wanted, from: readonly string[]): EmbeddedPackage | undefined {
  const folder = from
    .flatMap(upwards)
    .map((above) => join(above, "node_modules", name))
    .find((one) => pathsIn(one, [...files, manifest]).every((path) => existsSync(path)));
  if (folder === undefined) return undefined;
  return { name, files: pathsIn(folder, files), madeAt: pathsIn(folder, [manifest]).map(madeAt)[0] };
}

/** Next copies into a build each file of the project whose name it finds beside `join`. */
const pathsIn = (folder: string, files: readonly string[]) => files.map((file) => join(folder, file));

function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

/** Versions end with the hour of the data: 2.3.2026061719. */
function madeAt(path: string): Date | undefined {
  const { version } = parseObject(readFileSync(path, "utf8")) ?? {};
  const hour = typeof version === "string" ? /\.(\d{4})(\d\d)(\d\d)(\d\d)$/.exec(version) : null;
  if (!hour) return undefined;
  const [, year, month, day, hours] = hour;
  return new Date(`${year}-${month}-${day}T${hours}:00:00Z`);
}
