import express from "express";

export const app = express();

app.post("/work", (_, response) => void response.send("done"));
