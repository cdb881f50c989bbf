import { version } from "../../enforce/guard/version.ts";
import { policyFormat } from "../../enforce/policy/versions.ts";
import type { LiveNode } from "../stats/nodes.ts";
import { type Finding, note, plural } from "./finding.ts";

/** One finding for all nodes of an earlier version than this process. Both enforce the same lists and policy. */
export function judgeVersion(nodes: readonly LiveNode[]): Omit<Finding, "check">[] {
  const older = nodes.filter(isOlder);
  if (older.length === 0) return [];
  const says = `${plural(older.length, "node")} of an earlier version: ${older.map(({ id }) => id).join(", ")}.`;
  const details = older.map(
    ({ id, host, version: of, policyFormat: format = 1 }) =>
      `${id}: host ${host}, version ${of}, policy format ${format}; here version ${version}, policy format ${policyFormat}`,
  );
  return [note(says, { cure: "Upgrade them. Until then, they ignore what they do not know.", details })];
}

/** By its version, or by the policies that it understands: two builds may have one version. */
function isOlder({ version: of, policyFormat: format = 1 }: LiveNode): boolean {
  return of.localeCompare(version, "en", { numeric: true }) < 0 || format < policyFormat;
}
