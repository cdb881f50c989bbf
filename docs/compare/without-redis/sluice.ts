import express from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/express";

export const app = express();
app.use(createMiddleware(createGuard({ redis: "memory:", app: "shop" })));

app.get("/", (_, response) => void response.send("welcome"));
