import express from "express";
import { rateLimit } from "express-rate-limit";

export const app = express();
app.use(rateLimit({ windowMs: 300_000, limit: 300 }));

app.get("/", (_, response) => void response.send("welcome"));
