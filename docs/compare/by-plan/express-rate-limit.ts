import express from "express";
import { rateLimit } from "express-rate-limit";
import { RedisStore } from "rate-limit-redis";
import { sendCommand } from "../redis.ts";
import { sessionOf } from "../request.ts";

export const app = express();

const limits: Record<string, number> = { free: 5, pro: 8 };
app.use(
  rateLimit({
    windowMs: 3_600_000,
    limit: (request) => limits[sessionOf(request).plan] ?? 0,
    keyGenerator: (request) => sessionOf(request).id,
    store: new RedisStore({ sendCommand }),
  }),
);

app.get("/", (_, response) => void response.send("welcome"));
