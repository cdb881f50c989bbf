import { limit } from "sluice/next";
import { guard } from "../../guard";

const guesses = limit(guard, "redeem", {
  limit: 2,
  periodSeconds: 86_400,
  countWhen: { status: [404] },
  onDenied: { error: "too many guesses" },
});

export const POST = guesses(async (request) => {
  const { code } = await request.json();
  return Response.json({ code }, { status: code === "TEAPOT" ? 200 : 404 });
});
