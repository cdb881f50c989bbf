"use server";

import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { parseAddress } from "../../ip/parse.ts";
import { protectRange, unprotectRange } from "../../manage/lists/never-block.ts";
import { action } from "../action.ts";

const input = z.object({
  range: z.string().max(100),
  reason: z.string().trim().min(1, "Enter a reason").max(500),
});

/** Makes a range one that no blocklist entry may touch. */
export const protect = action({
  name: "never-block.add",
  needs: "never-block",
  input,
  run: (ctx, { range, reason }) => protectRange(ctx, { range: readRange(range), reason }),
});

/** Lets a range be blocked again. */
export const unprotect = action({
  name: "never-block.remove",
  needs: "never-block",
  input,
  run: (ctx, { range, reason }) => unprotectRange(ctx, { range: readRange(range), reason }),
});

function readRange(text: string) {
  const range = parseAddress(text);
  if (range.ok) return range.value;
  throw new DomainError("bad-input", `${range.reason}.`, { range: range.reason });
}
