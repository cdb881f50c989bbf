// Code blocks of the documents, and what shows that they are right. Programs are compiled against the built library.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { notYet } from "./docs-pages.mjs";
import { inProject, installed } from "./project.mjs";

/**
 * @typedef {object} Block
 * @property {string} page
 * @property {number} line of its first line of code
 * @property {string} language
 * @property {string} code
 * @property {string} given code before it that the page does not show, in a comment: `<!-- given … -->`
 * @property {boolean} isRun whether its program is run, too: "ts run"
 * @property {string | undefined} file its name, where the line before it is `proxy.ts`
 * @property {string | undefined} notChecked why nothing checks it: `<!-- not checked: … -->`, or its language
 */

/** Languages of other programs. */
const unchecked = {
  http: "a request or an answer, as it is sent",
  mermaid: "a drawing",
  nginx: "configuration of another program",
  ruby: "code of another language",
  text: "output, or words",
  vcl: "configuration of another program",
  yaml: "configuration of another program",
};

/** The code blocks of pages. @param {readonly import("./docs-pages.mjs").Page[]} pages @returns {Block[]} */
export function blocksOf(pages) {
  return pages.flatMap(({ path, text, tokens }) => {
    /** @type {Block[]} */
    const blocks = [];
    let from = 0;
    /** @param {readonly import("marked").Token[]} siblings */
    const read = (siblings) => {
      for (const [i, token] of siblings.entries()) {
        if (token.type === "code") {
          const start = text.indexOf(String(token.lang ? `\`\`\`${token.lang}` : "```"), from);
          from = start + token.raw.length;
          blocks.push(blockOf(path, text.slice(0, start).split("\n").length + 1, token, before(siblings, i)));
        }
        if ("items" in token && Array.isArray(token.items)) for (const item of token.items) read(item.tokens);
      }
    };
    read(tokens);
    return blocks;
  });
}

/** A paragraph that is the name of the file after it. */
const fileName = /^`([\w./-]+\.\w+)`\n*$/;

/** Comments and the file's name right before a token, the nearest first. @param {readonly import("marked").Token[]} siblings @param {number} i */
function before(siblings, i) {
  /** @type {import("marked").Token[]} */
  const found = [];
  for (let at = i - 1; at >= 0; at--) {
    const token = siblings[at];
    if (!token || !(["space", "html"].includes(token.type) || fileName.test(token.raw))) break;
    if (token.type !== "space") found.push(token);
  }
  return found;
}

/** @param {string} page @param {number} line @param {import("marked").Token} token @param {readonly import("marked").Token[]} earlier @returns {Block} */
function blockOf(page, line, token, earlier) {
  const [language = "", ...words] = String(token.type === "code" ? (token.lang ?? "") : "").split(" ");
  const comments = earlier.filter(({ type }) => type === "html").map(({ raw }) => raw.trim());
  const given = comments.flatMap((comment) => /^<!-- given\n(.*)-->$/s.exec(comment)?.[1] ?? []).join("");
  const [marked] = comments.flatMap((comment) => /^<!-- not checked: (.+) -->$/.exec(comment)?.[1] ?? []);
  const [file] = earlier.flatMap(({ raw }) => fileName.exec(raw)?.[1] ?? []);
  const byLanguage = new Map(Object.entries(unchecked)).get(language);
  return {
    ...{ page, line, language, given, file },
    code: token.type === "code" ? token.text : "",
    isRun: words.includes("run"),
    notChecked: marked ?? byLanguage,
  };
}

/** Where programs of the documents are compiled. */
const workplace = inProject(".cache/docs");
const sourceFolder = join(workplace, "source");
/** Where the compiled programs are. */
export const programs = join(workplace, "out");

/** File of a block's program, without its ending. @param {Block} block */
export function programOf({ page, line, file }) {
  return `${page.replace(/\.md$/, "")}/${file ? file.replace(/\.\w+$/, "") : `line-${line}`}`;
}

/**
 * Compiles programs with the strictest settings. Returns what is wrong, as `page:line says X`.
 * @param {readonly Block[]} blocks @param {string} [folder] with whole files to compile, too
 */
export function compile(blocks, folder) {
  layOut();
  /** @type {Map<string, Block>} */
  const byFile = new Map();
  for (const block of blocks) {
    const file = `${programOf(block)}.ts`;
    byFile.set(file, block);
    const path = join(sourceFolder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${block.given}${block.code}\nexport {};\n`);
  }
  if (folder) {
    const filter = (/** @type {string} */ path) => !notYet.some((name) => path === inProject(name));
    cpSync(inProject(folder), join(sourceFolder, folder), { recursive: true, filter });
  }
  const { stdout } = spawnSync(installed("tsc"), ["-p", workplace], { encoding: "utf8", cwd: workplace });
  return stdout
    .split("\n")
    .filter((line) => /error TS/.test(line))
    .map((line) => {
      const [, file = "", at = "1", says] = /^source\/([^(]+)\((\d+),\d+\): error (.*)$/.exec(line) ?? [];
      const block = byFile.get(file);
      if (!block) return says === undefined ? line : `${file}:${at} ${says}`;
      return `${block.page}:${block.line + Number(at) - block.given.split("\n").length} ${says}`;
    });
}

/** An empty workplace in which `sluice` is the built library. */
function layOut() {
  rmSync(workplace, { recursive: true, force: true });
  const library = join(workplace, "node_modules/sluice");
  mkdirSync(library, { recursive: true });
  mkdirSync(sourceFolder);
  const built = inProject("dist");
  for (const name of readdirSync(built)) symlinkSync(join(built, name), join(library, name));
  if (!existsSync(join(library, "package.json")))
    cpSync(inProject("lib/package.json"), join(library, "package.json"));
  writeFileSync(join(sourceFolder, "given.d.ts"), 'declare const guard: import("sluice").Guard;\n');
  const compilerOptions = {
    ...{ target: "es2023", lib: ["es2023", "dom", "dom.iterable"], types: ["node"] },
    ...{ module: "esnext", moduleResolution: "bundler", esModuleInterop: true, skipLibCheck: true },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{
      rootDir: "source",
      outDir: "out",
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: true,
    },
  };
  writeFileSync(join(workplace, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["source"] }));
}

/** Programs that only have to be known. */
const otherPrograms = ["cd", "cp", "curl", "docker", "export", "kubectl", "npx", "redis-cli", "sed"];

/**
 * What is wrong with the commands of a shell block.
 * @param {Block} block
 * @param {{ read: (argv: string[]) => unknown; scripts: readonly string[]; variables: readonly string[] }} known
 */
export function shellBreaches({ page, line, code }, { read, scripts, variables }) {
  return code
    .replaceAll("\\\n", "  ")
    .split("\n")
    .flatMap((text, i) => {
      const say = (/** @type {string} */ what) => `${page}:${line + i} ${what}`;
      return commandsOf(text).flatMap((words) => {
        const found = [];
        while (/^[A-Z_]+=/.test(words[0] ?? "")) {
          const [name = ""] = (words.shift() ?? "").split("=");
          if (!variables.includes(name)) found.push(say(`sets ${name}, which no document names`));
        }
        const wrong = whyWrong(words, read, scripts);
        return wrong ? [...found, say(wrong)] : found;
      });
    });
}

/** @param {string[]} words @param {(argv: string[]) => unknown} read @param {readonly string[]} scripts */
function whyWrong(words, read, scripts) {
  const [program = "", verb = "", ...rest] = words;
  if (program === "" || otherPrograms.includes(program)) return undefined;
  if (program === "sluice") return whyRefused(words.slice(1), read);
  if (program !== "npm") return `runs ${program}, which scripts/docs-blocks.mjs does not know`;
  if (["install", "ci", "audit", "test"].includes(verb)) return undefined;
  if (verb !== "run") return `npm has no ${verb}`;
  const [script = "", ...args] = rest.filter((word) => word !== "-s" && word !== "--");
  if (!scripts.includes(script)) return `package.json has no script ${script}`;
  return script === "sluice" ? whyRefused(args, read) : undefined;
}

/** @param {string[]} argv @param {(argv: string[]) => unknown} read */
function whyRefused(argv, read) {
  try {
    read(argv);
    return undefined;
  } catch (error) {
    return `sluice ${argv.join(" ")}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Commands of a line, as lists of words. Redirections and comments are left out. @param {string} text */
function commandsOf(text) {
  /** @type {string[][]} */
  const commands = [[]];
  let isRedirected = false;
  for (const word of wordsOf(text)) {
    if (word.startsWith("#")) break;
    if (word === "|" || word === "&&" || word === ";") {
      commands.push([]);
      isRedirected = false;
    } else if (word === "<" || word === ">") isRedirected = true;
    else if (!isRedirected) commands.at(-1)?.push(word);
  }
  return commands;
}

/** Words as a shell reads them: quotes join, and are gone. @param {string} text */
function wordsOf(text) {
  /** @type {string[]} */
  const words = [];
  let word = "";
  let quote = "";
  for (const letter of `${text} `) {
    if (letter === quote) quote = "";
    else if (quote === "" && (letter === '"' || letter === "'")) quote = letter;
    else if (quote !== "" || letter !== " ") word += letter;
    else if (word !== "") {
      const isEnded = word.endsWith(";");
      words.push(isEnded ? word.slice(0, -1) : word, ...(isEnded ? [";"] : []));
      word = "";
    }
  }
  return words;
}

/**
 * What is wrong with a JSON block: a whole policy, or one rule of a policy.
 * @param {Block} block
 * @param {{ parse: (text: string) => unknown; check: (policy: unknown) => { ok: boolean; problems?: readonly { path: string; message: string }[] }; base: { rules: readonly unknown[] } }} known
 */
export function policyBreaches({ page, line, code }, { parse, check, base }) {
  const say = (/** @type {string} */ what) => `${page}:${line} ${what}`;
  const given = parse(code);
  if (typeof given !== "object" || given === null) return [say("is no JSON object")];
  const { $schema: _, ...written } = /** @type {Record<string, unknown>} */ (given);
  if (!("rules" in written || "algorithm" in written)) return [say("is neither a policy nor a rule")];
  const policy = "rules" in written ? written : { ...base, rules: [...base.rules, written] };
  const { problems = [] } = check(policy);
  return problems.map(({ path, message }) => say(`${path}: ${message}`));
}

/** Names of the first column of the table of the environment. */
export function documentedVariables() {
  return readFileSync(inProject("docs/reference/environment.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name));
}
