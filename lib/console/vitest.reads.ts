import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { getAlarms as alarms } from "./alarms/alarm-reads.ts";
import { getAuditDetail as auditN } from "./audit/audit-detail.ts";
import { getAuditExport as auditExport } from "./audit/audit-export.ts";
import { getChainCheck as chain } from "./audit/chain-check.ts";
import { getAuditPage as audit, getNewerRecords as auditNewer } from "./audit/read-page.ts";
import {
  getClient as client,
  getClientListings as listings,
  postLookUp as lookUp,
  postOwners as ownersRead,
  getClientReach as reach,
} from "./clients/client-reads.ts";
import { getLinks as links, getNotes as notes } from "./clients/note-reads.ts";
import { getCustomerAddresses as customerAddresses } from "./customers/customer-addresses.ts";
import {
  getCustomerDay as customerDay,
  getCustomerReplay as customerReplay,
} from "./customers/customer-day.ts";
import {
  getCustomer as customer,
  getCustomerChanges as customerChanges,
  getLevelsPreview as customerPreview,
  getCustomers as customers,
  getUsage as usage,
} from "./customers/customer-reads.ts";
import {
  getDenials as denialLog,
  getRetention as denialRetention,
  getDenialsExport as denialsExport,
} from "./denials/denial-reads.ts";
import { getEdge as edge, getLimitedClients as edgeLimited } from "./edge/edge-reads.ts";
import { postFeedPreview as feedPreview } from "./feeds/feed-preview.ts";
import { getFeeds as feeds } from "./feeds/feed-reads.ts";
import { getHeldFeed as heldFeed } from "./feeds/held-feed.ts";
import { postLinesPreview as linesPreview } from "./lists/lines-preview.ts";
import {
  getNeverBlockEffect as effect,
  getExpiring as expiring,
  getEntryHistory as history,
  getEntries as list,
  getListExport as listExport,
  getLoss as loss,
  getNeverBlock as neverBlock,
} from "./lists/list-reads.ts";
import { getClientNames as clientNames, postNetworks as networksRead } from "./networks/network-reads.ts";
import { postOverridePreview as overridePreview } from "./overrides/override-preview.ts";
import {
  getGroupMembers as groupMembers,
  getOverrides as overridesRead,
} from "./overrides/override-reads.ts";
import { getAttackMode as attackMode } from "./policy/attack-preview.ts";
import { getPolicy as policy, getPolicyVersion as policyV } from "./policy/policy-page.ts";
import { getShadowClients as shadow } from "./policy/shadow-clients.ts";
import { getRates as rates } from "./stats/judged-rates.ts";
import { getSituation as situation } from "./stats/read-situation.ts";
import {
  getChangeProgress as change,
  getDeniedPaths as deniedPaths,
  getFeed as feed,
  getMarkers as markers,
  getOffenders as offenders,
  getOverview as overview,
} from "./stats/stats-reads.ts";
import { getDoctorReport as doctor } from "./status/doctor-report.ts";
import { getStatus as status } from "./status/read-status.ts";
import { getTokens as tokens } from "./stored-tokens.ts";
import { getUsers as users } from "./stored-users.ts";

/** A route handler, whatever parts of its path are parameters. */
type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

/** Reads of a viewer, by method and path. */
export const viewerReads = {
  "GET audit": audit,
  "GET audit/[n]": auditN,
  "GET audit/chain": chain,
  "GET audit/export": auditExport,
  "GET audit/newer": auditNewer,
  "GET changes/[n]": change,
  "GET clients/[client]": client,
  "GET clients/[client]/listings": listings,
  "GET clients/[client]/names": clientNames,
  "GET clients/[client]/reach": reach,
  "GET customers": customers,
  "GET customers/[id]": customer,
  "GET customers/[id]/addresses": customerAddresses,
  "GET customers/[id]/changes": customerChanges,
  "GET customers/[id]/day": customerDay,
  "GET customers/[id]/preview": customerPreview,
  "GET customers/[id]/replay": customerReplay,
  "GET denials": denialLog,
  "GET denials/export": denialsExport,
  "GET denials/retention": denialRetention,
  "GET doctor": doctor,
  "GET edge": edge,
  "GET edge/limited": edgeLimited,
  "GET feed": feed,
  "GET feed/paths": deniedPaths,
  "GET alarms": alarms,
  "GET attack-mode": attackMode,
  "GET feeds": feeds,
  "GET feeds/held": heldFeed,
  "GET links": links,
  "GET lists/[list]": list,
  "GET lists/[list]/expiring": expiring,
  "GET lists/[list]/export": listExport,
  "GET lists/[list]/history": history,
  "POST look-up": lookUp,
  "GET loss": loss,
  "GET markers": markers,
  "POST networks": networksRead,
  "GET never-block": neverBlock,
  "GET overrides": overridesRead,
  "GET overrides/members": groupMembers,
  "GET notes/[kind]/[id]": notes,
  "GET offenders": offenders,
  "GET overview": overview,
  "POST owners": ownersRead,
  "GET policy": policy,
  "GET policy/[version]": policyV,
  "GET rates": rates,
  "GET shadow": shadow,
  "GET situation": situation,
  "GET status": status,
  "GET usage": usage,
} satisfies Record<string, Route>;

export type ViewerRead = keyof typeof viewerReads;

/** Reads that a viewer is refused. */
export const refusedReads = {
  "POST feeds/preview": feedPreview,
  "POST lists/[list]/preview": linesPreview,
  "GET never-block/effect": effect,
  "POST overrides/preview": overridePreview,
  "GET tokens": tokens,
  "GET users": users,
} satisfies Record<string, Route>;

/** Routes that read nothing for a signed-in user. */
export const otherRoutes = ["auth/[...nextauth]", "check", "health", "metrics", "v1/[...path]"];

/** Handlers of all files below app/api, by method and path. */
export function routesFound(): string[] {
  const folder = fileURLToPath(new URL("../../app/api", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith("/route.ts"))
    .flatMap((file) => {
      const text = readFileSync(`${folder}/${file}`, "utf8");
      const methods = text.matchAll(/^export .*?\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/gm);
      return [...methods].map(([, method]) => `${method} ${dirname(file)}`);
    });
}
