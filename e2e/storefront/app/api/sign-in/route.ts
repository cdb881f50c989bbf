import { settle } from "sluice/next";

/** Says by the password alone whether the sign-in failed: the status is the same. */
export async function POST(request: Request): Promise<Response> {
  const { password } = await request.json();
  const isSignedIn = password === "right";
  await settle(request, { failed: !isSignedIn });
  return Response.json({ isSignedIn });
}
