import express from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/express";
import { costOf } from "../request.ts";

export const app = express();

app.use(
  createMiddleware(createGuard({ redis: process.env.REDIS_URL, app: "shop" }), {
    identify: (request) => ({ cost: costOf(request) }),
  }),
);

app.get("/", (_, response) => void response.send("welcome"));
