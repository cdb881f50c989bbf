import { aboveLimit } from "./above-limit.mjs";
import { addedTime } from "./added-time.mjs";
import { fullSpeed } from "./full-speed.mjs";
import { redisTime } from "./redis-time.mjs";
import { remembered } from "./remembered.mjs";

/**
 * Checks that do not wait for Redis: how fast they are, what they cost Redis, what passes above limits, and the memory they take.
 * @param {string} url
 * @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureSlack(url) {
  const { rows, figures } = await fullSpeed(url);
  for (const measure of [addedTime, redisTime, aboveLimit, remembered])
    Object.assign(figures, await measure(url));
  return { rows, figures };
}
