import express from "express";
import { createGuard } from "sluice";
import { limit } from "sluice/express";

export const app = express();
app.use(limit(createGuard({ app: "shop" }), "all", { limit: 5, periodSeconds: 3600, onDenied: "slow down" }));

app.get("/", (_, response) => void response.send("welcome"));
