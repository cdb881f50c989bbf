import express from "express";
import { rateLimit } from "express-rate-limit";
import { RedisStore } from "rate-limit-redis";
import { sendCommand } from "../redis.ts";

export const app = express();
const store = new RedisStore({ sendCommand });
app.use("/login", rateLimit({ windowMs: 3_600_000, limit: 5, skipSuccessfulRequests: true, store }));

app.post(
  "/login",
  (request, response) => void response.sendStatus(request.get("x-password") === "right" ? 200 : 401),
);
