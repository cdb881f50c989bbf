import { parseAst } from "vitest/node";
import { isNode, nodesOf } from "./source-facts.mjs";

/** Attributes whose values are names for programs. */
const technical = /^(className|class|d|href|htmlFor|id|key|name|role|src|style|type|viewBox)$/;

/**
 * Texts of a component that a person may read: JSX, and strings with a space or a capital.
 * @param {string} path @param {string} source
 * @returns {{ text: string; line: number }[]}
 */
export function visibleTexts(path, source) {
  const nodes = [...nodesOf(parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }))];
  const unread = new Set(nodes.filter(isTechnical).flatMap((node) => [...nodesOf(node)]));
  return nodes
    .filter((node) => !unread.has(node) && isText(node))
    .flatMap((node) => linesOf(source, node))
    .filter(({ text }) => text.trim() !== "");
}

/** @param {import("./source-facts.mjs").Node} node */
function isTechnical({ type, name }) {
  return type === "JSXAttribute" && isNode(name) && technical.test(String(name.name));
}

/** @param {import("./source-facts.mjs").Node} node */
function isText({ type, value }) {
  if (type === "JSXText" || type === "TemplateElement") return true;
  return type === "Literal" && typeof value === "string" && /\s|^[A-Z]/.test(value);
}

/** Lines of a text, as they are written. @param {string} source @param {import("./source-facts.mjs").Node} node */
function linesOf(source, { start, end }) {
  const first = source.slice(0, start).split("\n").length;
  return source
    .slice(start, end)
    .split("\n")
    .map((text, index) => ({ text, line: first + index }));
}
