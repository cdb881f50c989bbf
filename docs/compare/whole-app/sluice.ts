import express from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/express";

export const app = express();
app.use(createMiddleware(createGuard({ redis: process.env.REDIS_URL, app: "shop" })));

app.get("/", (_, response) => void response.send("welcome"));
