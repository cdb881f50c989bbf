export const dynamic = "force-dynamic";

let served = 0;

/** Tells how many requests have come as far as this. */
export function GET(): Response {
  served += 1;
  return Response.json({ served });
}
