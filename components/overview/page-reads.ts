import { auditPage } from "@/lib/queries/audit.ts";
import { type FeedParameters, feed } from "@/lib/queries/feed.ts";
import { offenders } from "@/lib/queries/offenders.ts";

export const mostOffenders = 5;
const mostDenials = 12;

export const topOffenders = (app: string | undefined) => offenders({ app, most: mostOffenders });

export const latestDenials = (app: string | undefined, outcome?: FeedParameters["outcome"]) =>
  feed({ outcome, app, most: mostDenials });

export const latestChanges = () => auditPage({});
