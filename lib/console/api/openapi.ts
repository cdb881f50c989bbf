import { z } from "zod";
import { problemSchema, problemType } from "../../api/problem.ts";
import { version } from "../../enforce/guard/version.ts";
import { policyJsonSchema } from "../../enforce/policy/json-schema.ts";
import { scopes, scopeWords } from "../../manage/tokens/scopes.ts";
import type { ApiDocument, ApiParameter, DocumentedCall, JsonSchema } from "./document.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import { policyField } from "./policy-operations.ts";

const common: Readonly<Record<number, string>> = {
  400: "A field is wrong. `errors` names each.",
  401: "The token is missing, unknown, revoked or expired.",
  403: "The token lacks the scope, or is for one app alone.",
  429: "Too many requests. Retry-After says when to try again.",
  503: "Redis does not answer, or accepts no writes now.",
};
const ofWrites: Readonly<Record<number, string>> = {
  409: "Lockout protection, a missing confirmation, or another change at the same moment. Nothing was written.",
  422: "Idempotency-Key was used for another request. Nothing was written.",
};

let made: ApiDocument | undefined;

/** The OpenAPI document, made of the same table and schemas that answer requests. */
export function openApi(): ApiDocument {
  made ??= write();
  return made;
}

function write(): ApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      ...{ title: "Sluice API", version },
      description:
        "What the console writes, a token with the right scope can write: the same checks, the same audit log. Every write has `dryRun=true`, and answers with the number of its change. Times are ISO 8601 in UTC.",
    },
    servers: [{ url: "/api/v1" }],
    security: [{ token: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: pathsOf(operations),
    components: {
      securitySchemes: {
        token: {
          ...{ type: "http", scheme: "bearer" },
          description: `An API token. Its scopes: ${scopes.map((scope) => `\`${scope}\`: ${scopeWords[scope]}`).join("; ")}.`,
        },
      },
      schemas: { Policy: policySchemaOf(), Problem: schemaOf(problemSchema, "output") },
    },
  };
}

function pathsOf(all: readonly Operation[]): ApiDocument["paths"] {
  const paths: Record<string, Record<string, DocumentedCall>> = {};
  for (const operation of all) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  return paths;
}

function describe(operation: Operation): DocumentedCall {
  const { id, tag, summary, about, body, reply, scopes: needed, ifMatch } = operation;
  return {
    ...{ operationId: id, tags: [tag], summary, ...(about !== "" && { description: about }) },
    "x-sluice-scopes": needed,
    "x-sluice-one-app": operation.isForApps,
    parameters: parametersOf(operation),
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "input") } } },
    }),
    responses: {
      ...successes(
        operation,
        schemaOf(reply, "output"),
        ifMatch !== undefined || operation.id.startsWith("get"),
      ),
      ...refusalsOf(operation),
    },
  };
}

function successes(
  { id, isWrite }: Operation,
  schema: JsonSchema,
  hasVersion: boolean,
): DocumentedCall["responses"] {
  const headers = {
    "RateLimit-Policy": { schema: { type: "string" } },
    RateLimit: { schema: { type: "string" } },
    ...(hasVersion && { ETag: { schema: { type: "string" } } }),
    ...(isWrite && { "Idempotency-Replayed": { schema: { type: "string" } } }),
  };
  const answer = { headers, content: { "application/json": { schema } } };
  const isAdded = /^(put\w+Entry|addFeed|addAlarmDestination|makeRequest)$/.test(id);
  return {
    200: { description: "Done.", ...answer },
    ...(isAdded && { 201: { description: "It is new.", ...answer } }),
  };
}

function refusalsOf({ isWrite, body, ifMatch, refusals }: Operation): DocumentedCall["responses"] {
  const said = {
    ...common,
    ...(isWrite && ofWrites),
    ...(body && { 415: "The body is not JSON." }),
    ...(ifMatch === "required" && { 428: "If-Match is missing." }),
    ...refusals,
  };
  const content = { [problemType]: { schema: { $ref: "#/components/schemas/Problem" } } };
  return Object.fromEntries(
    Object.entries(said).map(([status, description]) => [status, { description, content }]),
  );
}

function parametersOf({ params, query, isWrite, ifMatch }: Operation): ApiParameter[] {
  const header = (name: string, isRequired: boolean, description: string) => ({
    ...{ name, in: "header", required: isRequired, description, schema: { type: "string" } },
  });
  return [
    ...fieldsOf(params, "path"),
    ...fieldsOf(query, "query"),
    ...(isWrite
      ? [
          {
            ...{ name: "dryRun", in: "query", required: false, schema: { type: "boolean", default: false } },
            description: "Answers what the change would do, with all checks, and writes nothing.",
          },
          header(
            "Idempotency-Key",
            false,
            "Any text. The same request with the same key gets the first answer for a day, and writes nothing. Another request with the key is refused.",
          ),
        ]
      : []),
    ...(ifMatch
      ? [header("If-Match", ifMatch === "required", "The ETag that the change is made from, or *.")]
      : []),
  ];
}

function fieldsOf(schema: z.ZodObject, place: "path" | "query"): ApiParameter[] {
  const { properties = {}, required = [] } = schemaOf(schema, "input");
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    ...{ name, in: place, required: place === "path" || required.includes(name) },
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

function schemaOf(schema: z.core.$ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...found } = z.toJSONSchema(schema, {
    io,
    override({ zodSchema, jsonSchema }) {
      // The whole schema of policies is in one place.
      if (zodSchema !== policyField) return;
      for (const member of Object.keys(jsonSchema)) delete jsonSchema[member as keyof typeof jsonSchema];
      jsonSchema.$ref = "#/components/schemas/Policy";
    },
  });
  // The one cast: a JSON schema has more members than the page reads.
  return found as JsonSchema;
}

function policySchemaOf() {
  const { $schema: _, ...schema } = policyJsonSchema();
  return schema;
}
