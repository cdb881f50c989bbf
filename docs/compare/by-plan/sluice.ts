import express from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/express";
import { sessionOf } from "../request.ts";

export const app = express();
app.use(
  createMiddleware(createGuard({ app: "shop" }), {
    identify: (request) => ({ customerId: sessionOf(request).id, tier: sessionOf(request).plan }),
  }),
);

app.get("/", (_, response) => void response.send("welcome"));
