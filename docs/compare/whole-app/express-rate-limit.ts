import express from "express";
import { rateLimit } from "express-rate-limit";
import { RedisStore } from "rate-limit-redis";
import { sendCommand } from "../redis.ts";

export const app = express();
app.use(rateLimit({ windowMs: 300_000, limit: 300, store: new RedisStore({ sendCommand }) }));

app.get("/", (_, response) => void response.send("welcome"));
