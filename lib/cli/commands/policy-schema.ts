import { policyJsonSchema } from "../../enforce/policy/json-schema.ts";
import type { Command } from "../command.ts";

export const policySchemaCommand: Command = {
  name: "policy schema",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Print the JSON schema of policy files",
  about: [
    'For editors: a file that begins with { "$schema": "./policy.schema.json", … } is completed and checked while it is written.',
  ],
  options: [],
  examples: ["sluice policy schema > policy.schema.json"],
  async run() {
    const schema = policyJsonSchema();
    return { lines: JSON.stringify(schema, null, 2).split("\n"), json: schema };
  },
};
