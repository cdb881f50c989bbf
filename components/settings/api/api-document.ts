import type { ApiDocument, DocumentedCall, JsonSchema } from "@/lib/console/api/document.ts";

/** One operation, as the page shows it. */
export interface ShownCall extends DocumentedCall {
  readonly method: string;
  readonly path: string;
}

export interface ShownField {
  readonly name: string;
  /** "path", "query", "header" or "body". */
  readonly place: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly says: string;
}

/** Operations by tag, in the order of the document. */
export function callsByTag({
  paths,
  tags,
}: Pick<ApiDocument, "paths" | "tags">): { tag: string; calls: ShownCall[] }[] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ ...call, method: method.toUpperCase(), path })),
  );
  return tags.map(({ name }) => ({ tag: name, calls: calls.filter((call) => call.tags.includes(name)) }));
}

/** Everything that a request can say. */
export function fieldsOf({ parameters, requestBody }: DocumentedCall): ShownField[] {
  const { properties = {}, required = [] } = requestBody?.content["application/json"].schema ?? {};
  return [
    ...parameters.map(({ name, in: place, required: isRequired, description, schema }) => ({
      ...{ name, place, isRequired, type: typeOf(schema) },
      says: sentence(description, schema),
    })),
    ...Object.entries(properties).map(([name, schema]) => ({
      ...{ name, place: "body", isRequired: required.includes(name), type: typeOf(schema) },
      says: sentence(schema.description, schema),
    })),
  ];
}

function sentence(description = "", schema: JsonSchema): string {
  const usual = schema.default;
  if (usual === undefined || usual === "" || usual === null) return description;
  return `${description} Default ${JSON.stringify(usual)}.`.trim();
}

/** "string", "array of strings", "enforce, shadow or off" */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.join(", ").replace(/, ([^,]*)$/, " or $1");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `array of ${schema.items ? typeOf(schema.items) : "any"}s`;
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" or ") ?? "any");
}

/** Texts of fields with these names. */
const examples: Readonly<Record<string, string>> = {
  address: "203.0.113.77",
  addresses: "203.0.113.77",
  reason: "SEC-2291",
  expiresIn: "24h",
};

/** A value of the shape, to show what an answer looks like. @param name of the field */
export function exampleOf(schema: JsonSchema, name = ""): unknown {
  if (schema.$ref !== undefined) return {};
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return schema.anyOf[0] ? exampleOf(schema.anyOf[0], name) : null;
  if (schema.type === "array") return schema.items ? [exampleOf(schema.items, name)] : [];
  if (schema.type === "object")
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, member]) => [key, exampleOf(member, key)]),
    );
  if (schema.type === "boolean") return false;
  if (schema.type === "integer" || schema.type === "number") return 1;
  return schema.type === "string" ? (examples[name] ?? "…") : null;
}

/** Refusals by status. */
export function refusalsOf({ responses }: DocumentedCall): { status: string; says: string }[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => ({ status, says: description }));
}

/** The answer when the operation succeeds. */
export function answerOf({ responses, path }: ShownCall): unknown {
  const schema = responses["200"]?.content["application/json"]?.schema;
  const answer = schema && exampleOf(schema);
  // One schema serves both lists.
  const isOfBlocklist = path.startsWith("/blocklist") && isRecord(answer) && answer.list === "safelist";
  return isOfBlocklist ? { ...answer, list: "blocklist" } : answer;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** A command that sends the request. */
export function curlOf({ method, path, requestBody, parameters }: ShownCall): string {
  const needed = requestBody?.content["application/json"].schema;
  const body =
    needed &&
    Object.fromEntries(
      (needed.required ?? []).map((name) => [name, exampleOf(needed.properties?.[name] ?? {}, name)]),
    );
  const isVersioned = parameters.some(({ name, required }) => name === "If-Match" && required);
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$SLUICE_URL/api/v1${path}"`,
    '-H "Authorization: Bearer $SLUICE_API_TOKEN"',
    ...(isVersioned ? [`-H 'If-Match: "7"'`] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`] : []),
  ].join(" \\\n  ");
}

/** Parts of a text, with those between backticks as code. */
export function proseParts(text: string): { text: string; isCode: boolean; at: number }[] {
  return text
    .split("`")
    .map((part, at) => ({ text: part, isCode: at % 2 === 1, at }))
    .filter((part) => part.text !== "");
}
