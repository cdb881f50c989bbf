import { DomainError } from "../../errors.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { exitCode } from "../failure.ts";
import { sayRefresh } from "../feed-words.ts";
import { readReason } from "../operands.ts";

const ofOneFeed = { takes: "<feed>", operands: { least: 1, most: 1 } } as const;

export const feedRefresh: Command = {
  name: "feed refresh",
  takes: "[feed…]",
  operands: { least: 0, most: 50 },
  summary: "Read feeds now: all that are not paused, unless some are named",
  about: ["Contents that changed by more than the feed's limit wait for a decision."],
  options: [],
  examples: ["sluice feed refresh scanners", "sluice feed refresh"],
  async run({ operands, writeAccess }) {
    const { findFeed, listFeeds, refreshFeed, awaitApplied } = await writeAccess();
    const named = await Promise.all(operands.map((name) => findFeed(name)));
    const feeds = named.length > 0 ? named : (await listFeeds()).filter(({ isPaused }) => !isPaused);
    const lines: string[] = [];
    const outcomes: object[] = [];
    let change: number | null = null;
    let hasFailed = false;
    for (const { id } of feeds) {
      const { feed, refreshed: outcome } = await refreshFeed(id);
      lines.push(sayRefresh(feed, outcome));
      outcomes.push({ feed: id, ...outcome });
      if (outcome.is === "changed") change = outcome.change ?? change;
      hasFailed ||= outcome.is === "failed";
    }
    const applied = await awaitApplied(change);
    return {
      lines: [...lines, ...sayApplied(change, applied)],
      json: { outcomes, change, applied },
      exit: hasFailed ? exitCode.refused : exitCode.done,
    };
  },
};

const switches = {
  pause: { says: "Stop a feed: it is neither enforced nor refreshed", changed: { isPaused: true } },
  resume: { says: "Enforce and refresh a paused feed again", changed: { isPaused: false } },
  enforce: { says: "Enforce a feed that is in shadow", changed: { mode: "enforce" } },
  shadow: { says: "Put a feed into shadow: it counts, and denies nothing", changed: { mode: "shadow" } },
} as const;

/** `feed pause`, `feed resume`, `feed enforce` and `feed shadow`. */
export function feedSwitch(word: keyof typeof switches): Command {
  const { says, changed } = switches[word];
  return {
    ...{ name: `feed ${word}`, ...ofOneFeed, summary: says },
    about: ["What the feed has is kept."],
    options: ["reason"],
    examples: [`sluice feed ${word} scanners --reason "tried for a week"`],
    async run({ operands: [named = ""], options, writeAccess }) {
      const { changeFeed, awaitApplied } = await writeAccess();
      const { id, change } = await changeFeed({ named, reason: readReason(options), ...changed });
      const applied = await awaitApplied(change);
      const done = change === null ? "It was so already. Nothing changed." : `Done: ${word} ${id}.`;
      return { lines: [done, ...sayApplied(change, applied)], json: { id, change, applied } };
    },
  };
}

/** `feed accept` and `feed keep`. */
export function feedDecide(word: "accept" | "keep"): Command {
  const accept = word === "accept";
  return {
    ...{ name: `feed ${word}`, ...ofOneFeed },
    summary: accept
      ? "Put new contents into force that wait for a decision"
      : "Keep the contents in force, against new ones that wait for a decision",
    about: [
      "Contents wait that changed by more than the feed's limit. Those that were not accepted are not asked about again.",
    ],
    options: ["reason"],
    examples: [`sluice feed ${word} scanners`],
    async run({ operands: [named = ""], options, writeAccess }) {
      const reason = readReason(options);
      const { findFeed, decideFeed, awaitApplied } = await writeAccess();
      const { id, held } = await findFeed(named);
      if (!held) throw new DomainError("not-found", `Nothing of the feed ${id} waits for a decision.`);
      const { change } = await decideFeed({ named: id, digest: held.digest, accept, reason });
      const applied = await awaitApplied(change);
      const says = accept ? `accepted: ${held.ranges} ranges are in force` : "not accepted";
      return {
        lines: [`The new contents of the feed ${id} are ${says}.`, ...sayApplied(change, applied)],
        json: { id, accept, change, applied },
      };
    },
  };
}

export const feedRemove: Command = {
  ...{ name: "feed remove", ...ofOneFeed },
  summary: "Remove a feed and everything that it has",
  about: ["For 8 days this can be undone from the audit log."],
  options: ["reason"],
  examples: ['sluice feed remove scanners --reason "no hits in a month"'],
  async run({ operands: [named = ""], options, writeAccess }) {
    const { removeFeed, awaitApplied } = await writeAccess();
    const { id, change } = await removeFeed({ named, reason: readReason(options) });
    const applied = await awaitApplied(change);
    return {
      lines: [`The feed ${id} is removed.`, ...sayApplied(change, applied)],
      json: { id, change, applied },
    };
  },
};
