import express from "express";
import { createGuard } from "sluice";
import { userOf } from "../request.ts";

export const app = express();

const guard = createGuard({ redis: process.env.REDIS_URL, app: "shop" });
const work = guard.limit("work", { levels: [{ limit: 10, periodSeconds: 3600 }], by: "user" });
app.use("/work", async (request, response, next) => {
  const { status } = await work.check(userOf(request));
  if (status === 200) next();
  else response.sendStatus(status);
});
app.get("/left", async (request, response) => {
  const { levels } = await work.peek(userOf(request));
  response.json(levels[0]?.remaining);
});

app.post("/work", (_, response) => void response.send("done"));
