import express from "express";
import { createGuard } from "sluice";
import { limit } from "sluice/express";
import { costOf } from "../request.ts";

export const app = express();

app.use(limit(createGuard({ app: "shop" }), "points", { limit: 10, periodSeconds: 3600, cost: costOf }));

app.get("/", (_, response) => void response.send("welcome"));
