import express from "express";

export const app = express();

app.get("/", (_, response) => void response.send("welcome"));
