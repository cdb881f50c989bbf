import { at } from "../../at.ts";
import { revokeToken } from "../../manage/tokens/revoke-token.ts";
import type { Command } from "../command.ts";

export const tokenRevoke: Command = {
  name: "token revoke",
  takes: "<name>",
  operands: { least: 1, most: 1 },
  summary: "Revoke a token of the API at once",
  about: ["Its next request is refused. A revoked token cannot be brought back."],
  options: [],
  examples: ["sluice token revoke deploy"],
  async run({ operands, writing }) {
    const name = at(operands, 0);
    const { context } = await writing();
    await revokeToken(context, { name });
    return { lines: [`Token ${name} is revoked.`], json: { name, outcome: "revoked" } };
  },
};
