import { markers } from "@/lib/queries/markers.ts";

/** How far back changes are marked. */
const markedSeconds = 600;

export const clientMarkers = (client: string) => markers({ seconds: markedSeconds, client });
