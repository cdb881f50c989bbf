import { offenders } from "@/lib/queries/offenders.ts";

const mostShown = 50;

/** Offenders of all apps, or of one. */
export const allOffenders = (app: string | undefined) => offenders({ app, most: mostShown });
