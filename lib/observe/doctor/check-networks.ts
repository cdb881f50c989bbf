import type { Networks, SourceState } from "../networks/networks.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

type Unnamed = Omit<Finding, "check">;

/** Embedded data that are older than this are a note, in ms. */
const oldMs = 180 * 86_400_000;
const cure = "Set SLUICE_MMDB to MMDB files with current data, separated by commas.";
const has = {
  country: "countries",
  as: "AS numbers",
  both: "countries and AS numbers",
  other: "data",
} as const;

/** Findings on the data on networks of this process. Reads no Redis. */
export function judgeNetworks(
  { isLoaded, sources }: Pick<Networks, "isLoaded" | "sources">,
  now: number,
): Finding[] {
  if (!isLoaded) return named([ok("The data on networks are loading.")]);
  const failed = sources.filter(({ failure }) => failure !== undefined);
  const used = sources.filter((source) => source.isLoaded);
  return named([...failed.map(judgeFailed), ...(used.length > 0 ? [judgeUsed(used, now)] : [judgeNone()])]);
}

const named = (found: readonly Unnamed[]) => found.map((one): Finding => ({ check: "networks", ...one }));

function judgeFailed({ name, isEmbedded, isLoaded, failure }: SourceState): Unnamed {
  const rest = isLoaded ? "Its last contents are used." : "It is not used.";
  const says = `${name} failed to load: ${failure}. ${rest}`;
  return isEmbedded
    ? problem(says, { cure: "Run npm ci, and restart the console." })
    : problem(says, { cure: "Replace the file of SLUICE_MMDB. It is read again when it changes." });
}

function judgeUsed(used: readonly SourceState[], now: number): Unnamed {
  const details = used.map(
    (source) =>
      `${has[source.has]} of ${source.madeAt?.toISOString().slice(0, 10) ?? "an unknown day"}: ${source.name}`,
  );
  const embedded = used.filter(({ isEmbedded }) => isEmbedded);
  if (embedded.length === 0)
    return ok("Networks and countries are of the files of SLUICE_MMDB.", { details });
  const says = `Networks and countries ${embedded.length < used.length ? "are partly" : "are"} of the embedded data, which get no updates and have errors.`;
  const isOld = embedded.some(({ madeAt }) => madeAt === undefined || now - madeAt.getTime() > oldMs);
  return isOld ? note(says, { cure, details }) : ok(`${says} SLUICE_MMDB replaces them.`, { details });
}

function judgeNone(): Unnamed {
  return note("There are no data on networks and countries.", { cure });
}
