import express from "express";
import { rateLimit } from "express-rate-limit";
import { RedisStore } from "rate-limit-redis";
import { sendCommand } from "../redis.ts";

export const app = express();
const store = new RedisStore({ sendCommand });
app.use(rateLimit({ windowMs: 3_600_000, limit: 5, message: "slow down", store }));

app.get("/", (_, response) => void response.send("welcome"));
