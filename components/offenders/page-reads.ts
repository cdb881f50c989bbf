import { offenders } from "@/lib/queries/offenders.ts";

/** As many as the server looks at: a filter and another order apply to all of them. */
const mostRead = 100;

/** Offenders of all apps, or of one. The Overview and the page of all share one read. */
export const allOffenders = (app: string | undefined) => offenders({ app, most: mostRead });
