// Pages of the reference, made of the built library: its types, the schema of the policy, and the help of the command line.
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseAst } from "vitest/node";
import { pageOf } from "./docs-pages.mjs";
import { inProject } from "./project.mjs";
import { isNode } from "./source-facts.mjs";

/** Texts of the pages by their paths. @returns {Promise<import("./docs-pages.mjs").Page[]>} */
export async function referencePages() {
  return [
    pageOf("docs/reference/library.md", libraryText()),
    pageOf("docs/reference/policy.md", await policyText()),
    pageOf("docs/reference/command-line.md", await commandsText()),
  ];
}

/** Everything that the library exports, by entry. */
function libraryText() {
  const { exports } = JSON.parse(readFileSync(inProject("lib/package.json"), "utf8"));
  const entries = Object.entries(exports).filter(([, entry]) => typeof entry === "object");
  const sections = entries.map(([name, { types }]) => {
    const items = declarationsOf(posix.normalize(types)).map(itemText);
    return `## ${posix.join("sluice", name)}\n\n${items.join("\n")}`;
  });
  return `# Library\n\nEverything that the package exports, with its types. Generated from the built library.\n\n${sections.join("\n")}`;
}

/** @typedef {{ name: string; code: string; comment: string }} Declaration */

/** What a file of types exports, also what it passes on of others. @param {string} path in dist @returns {Declaration[]} */
function declarationsOf(path) {
  const source = readFileSync(inProject("dist", path), "utf8");
  const body = bodyOf(source);
  return body.flatMap((node) => {
    if (node.type === "ExportAllDeclaration" && isNode(node.source))
      return declarationsOf(besides(path, String(node.source.value)));
    if (node.type !== "ExportNamedDeclaration") return [];
    if (isNode(node.declaration)) return [declarationOf(source, node, node.declaration)];
    const from = isNode(node.source) ? besides(path, String(node.source.value)) : path;
    const specifiers = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
    return specifiers.flatMap((one) => {
      const local = nameOf(one.local);
      const found = declaredIn(from, local);
      return found
        ? [{ ...found, name: nameOf(one.exported), code: found.code.replace(local, nameOf(one.exported)) }]
        : [];
    });
  });
}

/** A declaration of a file, exported or not. @param {string} path @param {string} name @returns {Declaration | undefined} */
function declaredIn(path, name) {
  const source = readFileSync(inProject("dist", path), "utf8");
  for (const node of bodyOf(source)) {
    const inner = isNode(node.declaration) ? node.declaration : node;
    const found = declarationOf(source, node, inner);
    if (found.name === name) return found;
  }
  return declarationsOf(path).find((one) => one.name === name);
}

/** @param {string} source @param {import("./source-facts.mjs").Node} node @param {import("./source-facts.mjs").Node} inner @returns {Declaration} */
function declarationOf(source, node, inner) {
  const [variable] = Array.isArray(inner.declarations) ? inner.declarations.filter(isNode) : [];
  const before = source.slice(0, node.start).trimEnd();
  const start = before.endsWith("*/") ? before.lastIndexOf("/**") : -1;
  return {
    name: nameOf(inner.id ?? variable?.id),
    code: source.slice(node.start, node.end).replace(/^export (?:declare )?/, ""),
    comment: start < 0 ? "" : before.slice(start),
  };
}

/** @param {string} source */
function bodyOf(source) {
  const { body } = parseAst(source, { lang: "dts" });
  return /** @type {unknown[]} */ (body).filter(isNode);
}

/** @param {unknown} id */
const nameOf = (id) => (isNode(id) ? String(id.name ?? "") : "");

/** @param {string} from @param {string} specifier */
const besides = (from, specifier) =>
  posix.join(posix.dirname(from), specifier).replace(/\.(?:ts|js)$/, ".d.ts");

/** @param {Declaration} declaration */
function itemText({ name, code, comment }) {
  const lines = comment
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/\*\*|\*\/|\*) ?/, "").replace(/ ?\*\/$/, ""));
  const [words = "", ...tags] = lines.join("\n").split(/^@/m);
  const examples = tags.flatMap((tag) =>
    tag.startsWith("example") ? [exampleText(tag.slice("example".length))] : [],
  );
  return [`### ${name}`, "", words.trim(), "", "```ts", code, "```", "", ...examples].join("\n");
}

/** @param {string} text */
function exampleText(text) {
  const code = text.includes("```") ? text.trim() : `\`\`\`ts\n${text.trim()}\n\`\`\``;
  return `Example:\n\n${code}\n`;
}

/** The fields of the policy, as the schema says them. */
async function policyText() {
  /** @type {{ policyJsonSchema: () => Schema }} */
  const { policyJsonSchema } = await import(inProject("dist/enforce/policy/json-schema.js"));
  const rows = rowsOf(policyJsonSchema(), "");
  return [
    "# Policy",
    "",
    "Every field of a policy, generated from its schema. `sluice policy schema` prints the schema, and `sluice policy check` names",
    "what is wrong with a file. Fields without a default are required unless they are marked optional.",
    "",
    "| field | what | default |",
    "|---|---|---|",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
    "",
  ].join("\n");
}

/**
 * @typedef {{ type?: string; enum?: unknown[]; const?: unknown; default?: unknown; minimum?: number; maximum?: number; pattern?: string;
 *   properties?: Record<string, Schema>; required?: string[]; items?: Schema; anyOf?: Schema[]; oneOf?: Schema[];
 *   additionalProperties?: Schema | boolean }} Schema
 */

/** @param {Schema} schema @param {string} path @returns {string[][]} */
function rowsOf(schema, path) {
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  /** @type {Map<string, string[]>} */
  const rows = new Map();
  for (const row of choices.flatMap((choice) => rowsOf(choice, path))) {
    const [name = "", words = ""] = row;
    const [, before = words] = rows.get(name) ?? [];
    rows.set(name, before === words ? row : [name, `${before}, or ${words}`, row[2] ?? ""]);
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (name === "$schema") continue;
    const at = path === "" ? name : `${path}.${name}`;
    const isOptional = !schema.required?.includes(name) && field.default === undefined;
    const otherwise =
      field.default === undefined ? (isOptional ? "optional" : "") : code(JSON.stringify(field.default));
    rows.set(code(at), [code(at), wordsOf(field), otherwise]);
    for (const row of rowsOf(field, at)) rows.set(row[0] ?? "", row);
  }
  if (schema.items) for (const row of rowsOf(schema.items, `${path}[]`)) rows.set(row[0] ?? "", row);
  const others = schema.additionalProperties;
  if (typeof others === "object")
    for (const row of rowsOf(others, `${path}.<name>`)) rows.set(row[0] ?? "", row);
  return [...rows.values()];
}

/** @param {Schema} schema @returns {string} */
function wordsOf(schema) {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(wordsOf))].join(", or ");
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((one) => code(JSON.stringify(one))).join(", ");
  if (schema.type === "array") return schema.items?.type === "string" ? "list of texts" : "list";
  const { minimum, maximum } = schema;
  const numbers = (/** @type {number} */ n) => n.toLocaleString("en-US", { maximumFractionDigits: 6 });
  if (minimum !== undefined && maximum !== undefined)
    return `${schema.type === "integer" ? "whole number" : "number"} from ${numbers(minimum)} to ${numbers(maximum)}`;
  return (
    { string: "text", boolean: "`true` or `false`", object: "object" }[schema.type ?? ""] ?? schema.type ?? ""
  );
}

/** Code in a cell of a table. @param {string} text */
const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;

/** The help of every command, as it is printed. */
async function commandsText() {
  /** @type {[{ help: (about: string) => string[] }, { commands: readonly { name: string }[] }]} */
  const [{ help }, { commands }] = await Promise.all([
    import(inProject("dist/cli/help.js")),
    import(inProject("dist/cli/commands.js")),
  ]);
  const manuals = commands.map(
    ({ name }) => `## sluice ${name}\n\n\`\`\`text\n${help(name).join("\n")}\n\`\`\`\n`,
  );
  const intro =
    "The help of every command, as `sluice <command> --help` prints it. In a clone, type `npm run sluice --` instead of `sluice`.";
  return [`# Command line\n\n${intro}\n\n\`\`\`text\n${help("").join("\n")}\n\`\`\`\n`, ...manuals].join(
    "\n",
  );
}
