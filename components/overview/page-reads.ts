import { auditPage } from "@/lib/queries/audit.ts";
import { deniedPaths, type FeedParameters, feed } from "@/lib/queries/feed.ts";
import { situationNow } from "@/lib/queries/situation.ts";

const mostDenials = 12;

export const latestDenials = (app: string | undefined, filter: Omit<FeedParameters, "app" | "most"> = {}) =>
  feed({ ...filter, app, most: mostDenials });

export const latestChanges = () => auditPage({});

export const pathsQuery = (app: string | undefined) => deniedPaths({ app });

export const situationQuery = (app: string | undefined) => situationNow({ app });
