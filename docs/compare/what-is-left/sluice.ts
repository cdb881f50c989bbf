import express from "express";
import { createGuard } from "sluice";
import { limit } from "sluice/express";
import { userOf } from "../request.ts";

export const app = express();

const work = limit(createGuard({ app: "shop" }), "work", { limit: 10, periodSeconds: 3600, key: userOf });
app.use("/work", work);
app.get("/left", async (request, response) => {
  const { levels } = await work.peek(userOf(request));
  response.json(levels[0]?.remaining);
});

app.post("/work", (_, response) => void response.send("done"));
