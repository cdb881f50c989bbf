import { DomainError } from "../errors.ts";

/** Reads JSON that a person wrote; what is wrong with it is told with its line and column. */
export function parseJson(text: string): unknown {
  const json = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(json);
  } catch (cause) {
    const problem = problemOf(json);
    throw new DomainError("bad-input", `This is no JSON. ${problem}.`, { file: problem }, { cause });
  }
}

// JavaScript's own message has a place only sometimes, and another wording in each version of Node.
function problemOf(json: string): string {
  const { at, expected } = firstFault(json);
  const lines = json.slice(0, at).split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return `Line ${lines.length}, column ${column}: there should be ${expected}, but there is ${foundAt(json, at)}`;
}

function foundAt(json: string, at: number): string {
  const rest = json.slice(at, at + 30);
  if (rest === "") return "the end of the file";
  if (rest.startsWith('"')) {
    const [text] = exactly(json, at, string) ?? [];
    return text === undefined
      ? "a text that JSON cannot read, or that does not end"
      : `the text ${cut(text)}`;
  }
  return cut(/^([\w.+-]+|.)/su.exec(rest)?.[0] ?? "");
}

const cut = (text: string) => (text.length > 30 ? `${text.slice(0, 30)}…` : text);

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not take them as they are.
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const blank = /[ \t\n\r]*/y;
const mark = /[{}[\],:]/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

function exactly(text: string, at: number, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const says = {
  value: "a value",
  "first item": 'a value or "]"',
  name: 'a name in "double quotes"',
  "first name": 'a name in "double quotes" or "}"',
  colon: '":"',
  "after an item": '"," or "]"',
  "after a member": '"," or "}"',
  end: "nothing more",
} as const;

type State = keyof typeof says;

/** Where a text stops being the beginning of any JSON, and what would have to stand there. */
function firstFault(json: string): { at: number; expected: string } {
  const open: ("[" | "{")[] = [];
  let state: State = "value";
  for (let at = 0; ; ) {
    at += exactly(json, at, blank)?.[0].length ?? 0;
    const [word = ""] =
      exactly(json, at, mark) ?? exactly(json, at, string) ?? exactly(json, at, scalar) ?? [];
    const next = follow(state, word, open);
    if (next === undefined) return { at, expected: says[state] };
    state = next;
    at += word.length;
  }
}

/** What has to come after a word; nothing when the word itself may not stand there. */
function follow(state: State, word: string, open: ("[" | "{")[]): State | undefined {
  const isEmpty = (state === "first item" && word === "]") || (state === "first name" && word === "}");
  const isClosed =
    (state === "after an item" && word === "]") || (state === "after a member" && word === "}");
  if (isEmpty || isClosed) {
    open.pop();
    return afterValue(open);
  }
  if (state === "value" || state === "first item") return begin(word, open);
  if (state === "name" || state === "first name") return word.startsWith('"') ? "colon" : undefined;
  if (state === "colon") return word === ":" ? "value" : undefined;
  if (word !== "," || state === "end") return undefined;
  return state === "after an item" ? "value" : "name";
}

function begin(word: string, open: ("[" | "{")[]): State | undefined {
  if (word === "[" || word === "{") {
    open.push(word);
    return word === "[" ? "first item" : "first name";
  }
  return /^(|[\]},:])$/.test(word) ? undefined : afterValue(open);
}

function afterValue(open: readonly ("[" | "{")[]): State {
  const inside = open.at(-1);
  if (inside === undefined) return "end";
  return inside === "[" ? "after an item" : "after a member";
}
