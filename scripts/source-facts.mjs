import { readFileSync } from "node:fs";
import { parseAst } from "vitest/node";

/**
 * What a source file says that a rule may forbid.
 * @typedef {object} Fact
 * @property {"import" | "env" | "text"} kind
 * @property {string} value the specifier of an import, `process.env.NAME`, or the text of a string
 * @property {boolean} isTypeOnly
 * @property {number} line
 *
 * @typedef {Record<string, unknown> & { type: string; start: number }} Node
 */

/** The imports, the reads of process.env and the strings of a TypeScript or JavaScript file.
 * @param {string} path
 */
export function sourceFacts(path) {
  const source = readFileSync(path, "utf8");
  const lang = path.endsWith("x") ? "tsx" : "ts";
  /** @type {Fact[]} */
  const facts = [];
  for (const node of nodesOf(parseAst(source, { lang }))) {
    const fact = factOf(node, source);
    if (fact) facts.push({ ...fact, line: source.slice(0, node.start).split("\n").length });
  }
  return facts;
}

/** @param {Node} node @param {string} source @returns {Omit<Fact, "line"> | undefined} */
function factOf(node, source) {
  if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type) && isNode(node.source)) {
    return { kind: "import", value: String(node.source.value), isTypeOnly: isTypeOnly(node) };
  }
  if (/^(ImportExpression|TSImportType)$/.test(node.type) && isNode(node.source)) {
    return { kind: "import", value: specifierOf(node.source), isTypeOnly: node.type === "TSImportType" };
  }
  if (readsEnv(node)) {
    const [words = ""] = /^[\w.]+/.exec(source.slice(node.start)) ?? [];
    return { kind: "env", value: words, isTypeOnly: false };
  }
  const text = textOf(node);
  return text === "" ? undefined : { kind: "text", value: text, isTypeOnly: false };
}

/** `import type …`, `export type …`, or braces that hold types alone. @param {Node} node */
function isTypeOnly(node) {
  if (node.importKind === "type" || node.exportKind === "type") return true;
  const names = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
  return names.length > 0 && names.every((name) => name.importKind === "type" || name.exportKind === "type");
}

/** `process.env`, `globalThis.process.env` and `const { env } = process`. @param {Node} node */
function readsEnv(node) {
  if (node.type === "MemberExpression") return named(node.property, "env") && isProcess(node.object);
  return (
    node.type === "VariableDeclarator" &&
    isNode(node.id) &&
    node.id.type === "ObjectPattern" &&
    isProcess(node.init)
  );
}

/** @param {unknown} node @returns {boolean} */
function isProcess(node) {
  if (!isNode(node)) return false;
  return named(node, "process") || (node.type === "MemberExpression" && named(node.property, "process"));
}

/** @param {unknown} node @param {string} name */
const named = (node, name) => isNode(node) && (node.name === name || node.value === name);

/** The text of a string, or of a piece of a template. @param {Node} node @returns {string} */
function textOf(node) {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateElement") return "";
  return /** @type {{ cooked?: string }} */ (node.value).cooked ?? "";
}

/** What an `import(…)` names; what is only known when it runs is named as such. @param {Node} source */
function specifierOf(source) {
  const pieces = source.type === "TemplateLiteral" && Array.isArray(source.quasis) ? source.quasis : [source];
  return pieces.filter(isNode).map(textOf).join("") || "(computed)";
}

/** @param {unknown} value @returns {Generator<Node>} */
function* nodesOf(value) {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  else if (value !== null && typeof value === "object") {
    if (isNode(value)) yield value;
    for (const child of Object.values(value)) yield* nodesOf(child);
  }
}

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) => typeof value === "object" && value !== null && "type" in value && "start" in value;
