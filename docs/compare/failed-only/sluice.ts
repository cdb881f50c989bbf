import express from "express";
import { createGuard } from "sluice";
import { limit } from "sluice/express";

export const app = express();
const guard = createGuard({ app: "shop" });
app.use("/login", limit(guard, "login", { limit: 5, periodSeconds: 3600, countWhen: { status: [401] } }));

app.post(
  "/login",
  (request, response) => void response.sendStatus(request.get("x-password") === "right" ? 200 : 401),
);
