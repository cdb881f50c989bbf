import express from "express";

export const app = express();

app.get("/", (_, response) => void response.send("welcome"));
app.post("/login", (_, response) => void response.send("signed in"));
