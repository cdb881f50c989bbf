import express from "express";
import { RateLimiterMemory } from "rate-limiter-flexible";

export const app = express();
const limiter = new RateLimiterMemory({ points: 300, duration: 300 });
app.use((request, response, next) => {
  limiter.consume(request.ip ?? "").then(
    () => next(),
    () => response.status(429).send("Too Many Requests"),
  );
});

app.get("/", (_, response) => void response.send("welcome"));
