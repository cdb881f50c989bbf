import { expect, it } from "vitest";
import type { ApiDocument } from "@/lib/console/api/document.ts";
import {
  answerOf,
  callsByTag,
  curlOf,
  exampleOf,
  fieldsOf,
  proseParts,
  refusalsOf,
  typeOf,
} from "./api-document.ts";

const document: Pick<ApiDocument, "paths" | "tags"> = {
  tags: [{ name: "Lists" }, { name: "Nodes" }],
  paths: {
    "/blocklist/{address}": {
      put: {
        ...{ operationId: "putEntry", tags: ["Lists"], summary: "Put", "x-sluice-one-app": false },
        "x-sluice-scopes": ["lists"],
        parameters: [
          {
            name: "address",
            in: "path",
            required: true,
            description: "An address.",
            schema: { type: "string" },
          },
          { name: "If-Match", in: "header", required: true, schema: { type: "string" } },
        ],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["tier"],
                properties: {
                  tier: { anyOf: [{ type: "string" }, { type: "null" }] },
                  force: { type: "boolean", default: false, description: "Shorten." },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: "Done.",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: { list: { enum: ["a", "b"] }, n: { type: "integer" } },
                },
              },
            },
          },
          409: { description: "Refused.", content: {} },
        },
      },
    },
  },
};
const call = callsByTag(document)[0]?.calls[0];
if (!call) throw new Error("there is a call");

it("groups operations by tag", () => {
  expect(callsByTag(document).map(({ tag, calls }) => [tag, calls.length])).toEqual([
    ["Lists", 1],
    ["Nodes", 0],
  ]);
  expect([call.method, call.path]).toEqual(["PUT", "/blocklist/{address}"]);
});

it("lists what a request can say", () => {
  expect(fieldsOf(call)).toEqual([
    { name: "address", place: "path", isRequired: true, type: "string", says: "An address." },
    { name: "If-Match", place: "header", isRequired: true, type: "string", says: "" },
    { name: "tier", place: "body", isRequired: true, type: "string or null", says: "" },
    { name: "force", place: "body", isRequired: false, type: "boolean", says: "Shorten. Default false." },
  ]);
});

it("shows the answer, the refusals and a command", () => {
  expect(answerOf(call)).toEqual({ list: "a", n: 1 });
  expect(refusalsOf(call)).toEqual([{ status: "409", says: "Refused." }]);
  expect(curlOf(call)).toBe(
    [
      'curl -X PUT "$SLUICE_URL/api/v1/blocklist/{address}"',
      '-H "Authorization: Bearer $SLUICE_API_TOKEN"',
      `-H 'If-Match: "7"'`,
      '-H "Content-Type: application/json"',
      `-d '{"tier":"…"}'`,
    ].join(" \\\n  "),
  );
});

it.each([
  [{ type: "array", items: { type: "string" } }, "array of strings", ["…"]],
  [{ enum: ["enforce", "shadow", "off"] }, "enforce, shadow or off", "enforce"],
  [{ $ref: "#/components/schemas/Policy" }, "Policy", {}],
  [{ const: "unknown" }, '"unknown"', "unknown"],
  [{ type: ["string", "null"] }, "string or null", null],
  [{}, "any", null],
])("says %j in words, and gives an example", (schema, words, example) => {
  expect([typeOf(schema), exampleOf(schema)]).toEqual([words, example]);
});

it("shows a real address and reason, and the list that the path names", () => {
  const list = { enum: ["safelist", "blocklist"] };
  const schema = { type: "object", properties: { list, address: { type: "string" } } };
  const content = { "application/json": { schema } };
  const found = answerOf({ ...call, responses: { 200: { description: "", content } } });
  expect(found).toEqual({ list: "blocklist", address: "203.0.113.77" });
  expect(exampleOf({ type: "array", items: { type: "string" } }, "addresses")).toEqual(["203.0.113.77"]);
});

it("tells names of fields apart in a text", () => {
  expect(proseParts("With `search`, more.").map(({ text, isCode }) => [text, isCode])).toEqual([
    ["With ", false],
    ["search", true],
    [", more.", false],
  ]);
  expect(proseParts("`a`").map(({ isCode }) => isCode)).toEqual([true]);
});
