import { at } from "../../at.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { fields } from "../../enforce/stats/fields.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { Series, sumOf } from "../stats/series.ts";
import { type Check, note, ok, plural } from "./finding.ts";

/** Customers that have neither a tier of the policy nor their own limits, from the requests that nodes counted. */
export const defaultTier: Check = {
  name: "default-tier",
  async run({ redis }) {
    const { policy } = await readPolicy(redis);
    if (policy.defaultTier !== undefined)
      return [ok(`Customers without a tier have the limits of the default tier, ${policy.defaultTier}.`)];
    // This hour and the one before.
    const buckets = await new Series(redis).read(3_600, 2, await redisNow(redis));
    const requests = sumOf(buckets, fields.unknownCustomer);
    if (requests === 0) return [ok("Every recent customer has a tier or limits of its own.")];
    const apps = [...new Set(buckets.flatMap((bucket) => [...bucket.apps.keys()]))];
    const details = apps.flatMap((app) => {
      const ofApp = sumOf(buckets, fields.unknownCustomer, app);
      return ofApp === 0 ? [] : [`${app}: ${plural(ofApp, "request")}`];
    });
    const since = new Date(at(buckets, 0).at).toISOString().slice(11, 16);
    const says = `Since ${since} UTC, ${plural(requests, "request")} came from customers without a tier or limits of their own. Limits for anonymous clients count each of them by its ID.`;
    const cure =
      "Set defaultTier in the policy, give each customer a tier: sluice customer tier, or return its tier from identify.";
    return [note(says, { cure, details })];
  },
};
