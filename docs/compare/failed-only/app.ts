import express from "express";

export const app = express();

app.post(
  "/login",
  (request, response) => void response.sendStatus(request.get("x-password") === "right" ? 200 : 401),
);
