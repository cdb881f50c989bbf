import { readableForMs, rotateReferenceKey } from "../../manage/references/reference-keys.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { readReason } from "../operands.ts";

export const referenceKeyRotate: Command = {
  name: "reference-key rotate",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Make a new key for references of denials",
  about: [
    `References of earlier keys stay readable for ${readableForMs / 86_400_000} days. With --forget-earlier they are refused at once: for a key that`,
    "others may have read.",
  ],
  options: ["reason", "forget-earlier"],
  examples: [
    "sluice reference-key rotate",
    'sluice reference-key rotate --forget-earlier --reason "an app\'s Redis account has leaked"',
  ],
  async run({ options, writing }) {
    const reason = readReason(options);
    const { context, awaitApplied } = await writing();
    const forgetsEarlier = options.has("forget-earlier");
    const { number, kept, change } = await rotateReferenceKey(context, { reason, forgetsEarlier });
    const applied = await awaitApplied(change);
    const earlier = kept === 0 ? "No earlier key is kept." : `Earlier keys that are still read: ${kept}.`;
    return {
      lines: [`Nodes write references with key ${number}. ${earlier}`, ...sayApplied(change, applied)],
      json: { key: number, kept, change, applied },
    };
  },
};
