import { z } from "zod";
import { mostTags, tagForm } from "../../enforce/lists/entry.ts";

export const tag = z
  .string()
  .trim()
  .toLowerCase()
  .regex(tagForm, "write letters, digits and - . _ :, at most 32");

export const tags = z.array(tag).max(mostTags, `give at most ${mostTags} tags`);
