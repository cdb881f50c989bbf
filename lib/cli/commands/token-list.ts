import { isExpired } from "../../manage/tokens/token.ts";
import { type KnownToken, listTokens } from "../../manage/tokens/token-uses.ts";
import type { Command } from "../command.ts";
import { moment } from "../moment.ts";
import { columns, printable } from "../terminal.ts";

export const tokenList: Command = {
  name: "token list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the tokens of the API",
  about: ["Shows what a token may do, its end, and its last use. Secrets are not stored, so none is shown."],
  options: [],
  examples: ["sluice token list", "sluice token list --json"],
  async run({ reading }) {
    const { redis, now } = await reading();
    const tokens = await listTokens(redis);
    const head = ["NAME", "STARTS WITH", "SCOPES", "APP", "CREATED BY", "LAST USED", "EXPIRES"];
    return {
      lines: tokens.length === 0 ? ["No tokens."] : columns([head, ...tokens.map((one) => row(one, now()))]),
      json: { tokens },
    };
  },
};

function row(token: KnownToken, now: number): string[] {
  const { name, start, scopes, app = "all", by, lastUse, until } = token;
  const from = lastUse?.address ? ` from ${lastUse.address}` : "";
  const used = lastUse ? `${moment(Date.parse(lastUse.at))}${from}` : "never";
  const end = until === null ? "never" : moment(Date.parse(until));
  const texts = [
    name,
    `${start}…`,
    scopes.join(" "),
    app,
    by,
    used,
    isExpired(token, now) ? `${end}, EXPIRED` : end,
  ];
  return texts.map(printable);
}
