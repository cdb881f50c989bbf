import express from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/express";
import { sessionOf } from "../request.ts";

export const app = express();
const guard = createGuard({ redis: process.env.REDIS_URL, app: "shop" });
const identify = (request: express.Request) => ({
  customerId: sessionOf(request).id,
  tier: sessionOf(request).plan,
});
app.use(createMiddleware(guard, { identify }));

app.get("/", (_, response) => void response.send("welcome"));
