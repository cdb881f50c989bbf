// What the app knows of a request. Not counted: every app has it.
import type { Request } from "express";

/** In place of a session. */
export const sessionOf = (request: Request) => ({
  id: request.get("x-user") ?? "",
  plan: request.get("x-plan") ?? "",
});

export const userOf = (request: Request) => sessionOf(request).id;

/** In place of what the app knows: rows read, tokens, seconds. */
export const costOf = (request: Request) => Number(request.get("x-cost"));
