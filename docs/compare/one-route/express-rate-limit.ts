import express from "express";
import { rateLimit } from "express-rate-limit";
import { RedisStore } from "rate-limit-redis";
import { sendCommand } from "../redis.ts";

export const app = express();
app.use("/login", rateLimit({ windowMs: 3_600_000, limit: 5, store: new RedisStore({ sendCommand }) }));

app.get("/", (_, response) => void response.send("welcome"));
app.post("/login", (_, response) => void response.send("signed in"));
