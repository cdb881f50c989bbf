import { readFileSync } from "node:fs";
import { parseAst } from "vitest/node";

/**
 * Content of a source file that a rule may forbid.
 * @typedef {object} Fact
 * @property {"import" | "env" | "interval" | "state" | "text" | "log" | "pattern" | "computed pattern"} kind
 * @property {string} value the specifier of an import, `process.env.NAME`, the text of a string, or what is given to a log that is not
 * one text, or a regular expression, or the name of a React state
 * @property {boolean} isTypeOnly
 * @property {number} line
 *
 * @typedef {Record<string, unknown> & { type: string; start: number; end?: number }} Node
 */

/** Imports, reads of process.env, strings and regular expressions of a TypeScript or JavaScript file.
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
  if (node.type === "CallExpression" && named(node.callee, "setInterval"))
    return { kind: "interval", value: "setInterval", isTypeOnly: false };
  const state = stateOf(node);
  if (state !== "") return { kind: "state", value: state, isTypeOnly: false };
  const logged = loggedValue(node, source);
  if (logged !== undefined) return { kind: "log", value: logged, isTypeOnly: false };
  const pattern = patternOf(node);
  if (pattern) return { kind: "pattern", value: pattern, isTypeOnly: false };
  if (isPatternCall(node)) return { kind: "computed pattern", value: "RegExp", isTypeOnly: false };
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

/** The name in `const [name, …] = useState(…)`, and the same of other hooks. @param {Node} node */
function stateOf({ type, id, init }) {
  const isState = isNode(init) && isNode(init.callee) && /^use[A-Z]/.test(String(init.callee.name));
  if (type !== "VariableDeclarator" || !isState || !isNode(id) || !Array.isArray(id.elements)) return "";
  const [first] = id.elements;
  return isNode(first) ? String(first.name) : "";
}

/** @param {unknown} node @param {string} name */
const named = (node, name) => isNode(node) && (node.name === name || node.value === name);

/** What a call of `console.error(…)` or `log(…)` is given, if that is not one text made on the spot, or if the text holds an error as it
 * is. Their types let `log` be given texts alone, so only `console` is asked for its form. @param {Node} node @param {string} source
 */
function loggedValue(node, source) {
  if (node.type !== "CallExpression" || !isNode(node.callee) || !Array.isArray(node.arguments))
    return undefined;
  const isConsole = node.callee.type === "MemberExpression" && named(node.callee.object, "console");
  const isLog = named(node.callee.property ?? node.callee, "log") && !named(node.callee.object, "Math");
  if (!isConsole && !isLog) return undefined;
  const given = node.arguments.filter(isNode);
  const [text] = given;
  const isText = given.length === 1 && (text?.type === "TemplateLiteral" || textOf(text ?? node) !== "");
  const holdsError = text?.type === "TemplateLiteral" && partsOf(text).some(isError);
  return (isConsole && !isText) || holdsError
    ? given.map((each) => source.slice(each.start, each.end)).join(", ")
    : undefined;
}

/** @param {Node} text */
const partsOf = (text) => (Array.isArray(text.expressions) ? text.expressions.filter(isNode) : []);

/** `${error}` and `${error.stack}`. @param {Node} node @returns {boolean} */
function isError(node) {
  if (node.type === "ConditionalExpression")
    return [node.consequent, node.alternate].filter(isNode).some(isError);
  if (node.type === "MemberExpression") return named(node.property, "stack") || named(node.property, "cause");
  return node.type === "Identifier" && /^(error|err|cause|failure)$/.test(String(node.name));
}

/** `/a+/g`, also of `RegExp("a+", "g")`. @param {Node} node @returns {string | undefined} */
function patternOf(node) {
  if (node.type === "Literal" && node.regex) {
    const { pattern, flags } = /** @type {{ pattern: string; flags: string }} */ (node.regex);
    return `/${pattern}/${flags}`;
  }
  if (!isPatternCall(node)) return undefined;
  const [pattern = "", flags = ""] = Array.isArray(node.arguments)
    ? node.arguments.filter(isNode).map(textOf)
    : [];
  return pattern === "" ? undefined : `/${pattern}/${flags}`;
}

/** @param {Node} node */
const isPatternCall = (node) => /^(New|Call)Expression$/.test(node.type) && named(node.callee, "RegExp");

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
export function* nodesOf(value) {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  else if (value !== null && typeof value === "object") {
    if (isNode(value)) yield value;
    for (const child of Object.values(value)) yield* nodesOf(child);
  }
}

/** @param {unknown} value @returns {value is Node} */
export const isNode = (value) =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;
