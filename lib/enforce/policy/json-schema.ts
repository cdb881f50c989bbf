import * as z from "zod/mini";
import { policySchema } from "./schema.ts";

/** What a person may write, for editors. What depends on several fields at once, only `checkPolicy` knows. */
export function policyJsonSchema(): z.core.JSONSchema.JSONSchema {
  const schema = z.toJSONSchema(policySchema, { io: "input" });
  return {
    ...schema,
    title: "Policy of Sluice",
    properties: { $schema: { type: "string" }, ...schema.properties },
  };
}
