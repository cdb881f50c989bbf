import express from "express";
import { createGuard } from "sluice";
import { limit } from "sluice/express";

export const app = express();
app.use("/login", limit(createGuard({ app: "shop" }), "login", { limit: 5, periodSeconds: 3600 }));

app.get("/", (_, response) => void response.send("welcome"));
app.post("/login", (_, response) => void response.send("signed in"));
