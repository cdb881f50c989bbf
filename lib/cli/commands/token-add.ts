import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { createToken, usualLifeMs } from "../../manage/tokens/create-token.ts";
import { isScope, scopes, scopeWords, type TokenScope } from "../../manage/tokens/scopes.ts";
import { didYouMean } from "../../nearest.ts";
import type { Command } from "../command.ts";
import { moment } from "../moment.ts";
import { readExpires } from "../operands.ts";
import type { GivenOptions } from "../options.ts";

export const tokenAdd: Command = {
  name: "token add",
  takes: "<name>",
  operands: { least: 1, most: 1 },
  summary: "Create a token of the API",
  about: [
    "The secret is printed only once, and Sluice keeps only its digest. The audit log names the token as the actor.",
    "A token for one app (--app) can read, and change the rules that name this app alone. Without --expires it lasts 90 days.",
    "Scopes:",
    ...scopes.map((scope) => `  ${scope.padEnd(14)} ${scopeWords[scope]}`),
  ],
  options: ["scope", "app", "expires"],
  examples: [
    "sluice token add deploy --scope read --scope policy",
    'sluice token add "WAF exporter" --scope lists --expires 30d',
  ],
  async run({ operands, options, writing }) {
    const name = at(operands, 0);
    const input = {
      ...{ name, scopes: readScopes(options), app: options.text("app") },
      expiresInMs: options.has("expires") ? readExpires(options) : usualLifeMs,
    };
    const { context } = await writing();
    const { secret, token } = await createToken(context, input);
    const { id: _, ...shown } = token;
    const ends = token.until === null ? "never expires" : `expires ${moment(Date.parse(token.until))}`;
    return {
      lines: [
        `Token ${name} is created (${token.scopes.join(", ")}; ${ends}). Its secret, shown once:`,
        secret,
      ],
      json: { ...shown, secret },
    };
  },
};

function readScopes(options: GivenOptions): TokenScope[] {
  return options.texts("scope").map((text) => {
    if (isScope(text)) return text;
    const problem = `"${text.slice(0, 50)}" is not a scope: write one of ${scopes.join(", ")}`;
    throw new DomainError("bad-input", `--scope: ${problem}.${didYouMean(text, scopes)}`, { scope: problem });
  });
}
