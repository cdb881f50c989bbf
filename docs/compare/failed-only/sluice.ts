import express from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/express";

export const app = express();
app.use(createMiddleware(createGuard({ redis: process.env.REDIS_URL, app: "shop" })));

app.post(
  "/login",
  (request, response) => void response.sendStatus(request.get("x-password") === "right" ? 200 : 401),
);
