import express from "express";
import { createGuard } from "sluice";
import { createMiddleware } from "sluice/express";

export const app = express();
app.use(createMiddleware(createGuard({ app: "shop" })));

app.get("/", (_, response) => void response.send("welcome"));
