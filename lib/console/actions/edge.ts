"use server";

import { z } from "zod";
import { clearEdge as clear, mostCleared } from "../../manage/edge/clear.ts";
import { switchEdge as turn } from "../../manage/edge/switch.ts";
import { action } from "../action.ts";

const mostCharacters = 500;
const tooLong = `at most ${mostCharacters} characters`;
/** A fingerprint has a path and a user agent in it. */
const longestClient = 10_000;

/** Switches limiting at every edge on or off. */
export const switchEdge = action({
  name: "edge.switch",
  needs: "edge",
  input: z.object({
    isOn: z.boolean(),
    reason: z.string().trim().min(1, "say why").max(mostCharacters, tooLong),
  }),
  run: turn,
});

/** Lets clients in again: by keys, addresses, or whole fingerprints. */
export const clearEdge = action({
  name: "edge.clear",
  needs: "clear-edge",
  input: z.object({
    clients: z.array(z.string().trim().min(1).max(longestClient)).min(1).max(mostCleared),
    reason: z.string().trim().max(mostCharacters, tooLong).default(""),
  }),
  run: clear,
});
