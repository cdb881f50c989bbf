/** A value in a source file. What is no literal is `code`. */
export type Value =
  | { readonly kind: "number"; readonly value: number; readonly line: number }
  | { readonly kind: "text"; readonly value: string; readonly line: number }
  | { readonly kind: "boolean"; readonly value: boolean; readonly line: number }
  | { readonly kind: "nothing"; readonly line: number }
  | ObjectValue
  | { readonly kind: "list"; readonly items: readonly Value[]; readonly line: number }
  | CallValue
  | { readonly kind: "code"; readonly text: string; readonly line: number };

export interface ObjectValue {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, Value>;
  /** What is spread into it and is no literal. */
  readonly spreads: readonly Value[];
  readonly line: number;
}

export interface CallValue {
  readonly kind: "call";
  /** As it is written: `Ratelimit.slidingWindow`. */
  readonly name: string;
  readonly args: readonly Value[];
  /** All of it. */
  readonly text: string;
  readonly line: number;
}

/** A call somewhere in the file. */
export interface FoundCall extends CallValue {
  /** The name that its result is given. Undefined where it has none. */
  readonly variable: string | undefined;
  /** The place of its first token. */
  readonly at: number;
}

interface Token {
  readonly kind: "word" | "number" | "text" | "sign" | "pattern" | "code";
  readonly text: string;
  /** Without quotes and escapes. */
  readonly value: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

const blank = /\s/;
const wordStart = /[\p{L}_$#@]/u;
const wordPart = /[\p{L}\p{N}_$]/u;
const digit = /\d/;
/** What a value may end with: a slash after it divides. */
const endsValue = /^[\w$)\]}'"`]/;
const beforePattern = new Set(["return", "typeof", "case", "in", "of", "do", "else", "void", "delete"]);
const openers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const closers = new Set(Object.values(openers));
const signs = ["...", "=>", "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "**", "++", "--"];
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  b: "\b",
  f: "\f",
  v: "\v",
};

/**
 * A JavaScript or TypeScript file, of which only literal values are understood: objects, lists, texts, numbers and arithmetic of
 * them, constants that are such, and calls with such arguments. Nothing of it is run.
 */
export class JavaScriptFile {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  /** Undefined where two constants have one name. */
  readonly #constants = new Map<string, number | undefined>();
  readonly #resolving = new Set<string>();

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokensOf(source);
    this.#tokens.forEach((token, i) => {
      if (token.kind !== "word" || token.text !== "const") return;
      const name = this.#tokens[i + 1];
      if (name?.kind !== "word") return;
      const equals = this.#equalsAfter(i + 2);
      if (equals !== undefined)
        this.#constants.set(name.text, this.#constants.has(name.text) ? undefined : equals + 1);
    });
  }

  /** Names by which the file knows exports of a package: name in the file → name of the export, `default` for all of it. */
  importsOf(packageName: RegExp): Map<string, string> {
    const names = new Map<string, string>();
    for (const [i, token] of this.#tokens.entries()) {
      if (token.kind !== "text" || !packageName.test(token.value)) continue;
      const before = this.#tokens[i - 1]?.text;
      if (before === "from") this.#readImport(i - 2, names);
      if (before === "(" && this.#tokens[i - 2]?.text === "require") this.#readRequire(i, names);
    }
    return names;
  }

  /** Calls of functions or classes whose last name is one of these. */
  callsOf(names: ReadonlySet<string>): FoundCall[] {
    return this.#tokens.flatMap((token, i) => {
      if (token.kind !== "word" || !names.has(token.text)) return [];
      const open = this.#afterTypes(i + 1);
      if (this.#textAt(open) !== "(" || this.#textAt(i - 1) === "function") return [];
      let first = i;
      while (this.#textAt(first - 1) === "." && this.#tokens[first - 2]?.kind === "word") first -= 2;
      if (this.#textAt(first - 1) === "new") first--;
      const { values, next } = this.#list(open);
      const [variable, text] = [this.#variableBefore(first), this.#textBetween(first, next)];
      return [
        {
          kind: "call" as const,
          name: token.text,
          args: values,
          text,
          line: token.line,
          variable,
          at: first,
        },
      ];
    });
  }

  /** Objects that a name or an export is given, and that have such a field. */
  objectsWith(field: string): { readonly variable: string | undefined; readonly value: ObjectValue }[] {
    return this.#tokens.flatMap((token, i) => {
      const isStart = i === 0 || ["=", "default"].includes(this.#textAt(i - 1) ?? "");
      if (token.text !== "{" || !isStart) return [];
      const value = this.#value(i);
      if (value?.value.kind !== "object" || !value.value.fields.has(field)) return [];
      return [{ variable: this.#variableBefore(i), value: value.value }];
    });
  }

  /** Calls of methods with one of these names, whatever object has them. */
  methodCalls(names: ReadonlySet<string>): (FoundCall & { readonly of: string; readonly until: number })[] {
    return this.#tokens.flatMap((token, i) => {
      if (token.kind !== "word" || !names.has(token.text)) return [];
      const of = this.#tokens[i - 2];
      if (this.#textAt(i - 1) !== "." || this.#textAt(i + 1) !== "(" || of?.kind !== "word") return [];
      const { values, next } = this.#list(i + 1);
      const text = this.#textBetween(i - 2, next);
      const facts = { name: token.text, args: values, text, line: token.line };
      return [{ kind: "call" as const, ...facts, variable: undefined, at: i, of: of.text, until: next }];
    });
  }

  #textAt(i: number): string | undefined {
    const token = this.#tokens[i];
    return token && (token.kind === "text" ? undefined : token.text);
  }

  /** The place of `=` after a name and its type. */
  #equalsAfter(from: number): number | undefined {
    if (this.#textAt(from) === "=") return from;
    if (this.#textAt(from) !== ":") return undefined;
    for (let i = from; i < Math.min(this.#tokens.length, from + 40); i++)
      if (this.#textAt(i) === "=") return i;
    return undefined;
  }

  #variableBefore(first: number): string | undefined {
    let i = first - 1;
    while (this.#textAt(i) === "await" || this.#textAt(i) === "(") i--;
    if (this.#textAt(i) === ":" && this.#tokens[i - 1]?.kind === "word") return this.#textAt(i - 1);
    if (this.#textAt(i) !== "=") return undefined;
    // Back over a type to the name.
    for (let j = i - 1; j >= Math.max(0, i - 40); j--) {
      const before = this.#textAt(j - 1);
      const isDeclared = before === "const" || before === "let" || before === "var";
      if (this.#tokens[j]?.kind === "word" && (isDeclared || j === i - 1) && (isDeclared || before === "."))
        return this.#textAt(j);
    }
    return this.#tokens[i - 1]?.kind === "word" ? this.#textAt(i - 1) : undefined;
  }

  #readImport(last: number, names: Map<string, string>): void {
    let i = last;
    while (i >= 0 && this.#textAt(i) !== "import") i--;
    for (let j = i + 1; j <= last; j++) {
      const text = this.#textAt(j) ?? "";
      if (this.#tokens[j]?.kind !== "word" || text === "type" || text === "as") continue;
      if (this.#textAt(j + 1) === "as") {
        names.set(this.#textAt(j + 2) ?? "", text);
        j += 2;
      } else names.set(text, this.#isInBraces(i, j) ? text : "default");
    }
  }

  #isInBraces(from: number, place: number): boolean {
    for (let i = from; i < place; i++) if (this.#textAt(i) === "{") return true;
    return false;
  }

  #readRequire(place: number, names: Map<string, string>): void {
    const equals = place - 3;
    // require("…").rateLimit({ … }) is a call already.
    if (this.#textAt(equals) !== "=" || this.#textAt(place + 4) === "(") return;
    const member = this.#textAt(place + 2) === "." ? this.#textAt(place + 3) : undefined;
    if (this.#textAt(equals - 1) !== "}") {
      names.set(this.#textAt(equals - 1) ?? "", member ?? "default");
      return;
    }
    for (let i = equals - 2; i >= 0 && this.#textAt(i) !== "{"; i--) {
      if (this.#tokens[i]?.kind !== "word" || this.#textAt(i + 1) === ":") continue;
      const isRenamed = this.#textAt(i - 1) === ":";
      names.set(this.#textAt(i) ?? "", (isRenamed ? this.#textAt(i - 2) : this.#textAt(i)) ?? "");
    }
  }

  /** Over `<Options>` of TypeScript. */
  #afterTypes(i: number): number {
    if (this.#textAt(i) !== "<") return i;
    for (let j = i; j < Math.min(this.#tokens.length, i + 40); j++) if (this.#textAt(j) === ">") return j + 1;
    return i;
  }

  /** The values between brackets. @param open place of the opening one */
  #list(open: number): { readonly values: Value[]; readonly next: number } {
    const values: Value[] = [];
    const close = openers[this.#textAt(open) ?? ""];
    let i = open + 1;
    while (i < this.#tokens.length && this.#textAt(i) !== close) {
      const { value, next } = this.#expression(i);
      values.push(value);
      i = this.#textAt(next) === "," ? next + 1 : next;
      if (next === i && this.#textAt(i) !== close) break;
    }
    return { values, next: i + 1 };
  }

  /** A value up to the next comma or closing bracket, as code if it is no literal. */
  #expression(from: number): { readonly value: Value; readonly next: number } {
    const end = this.#endOf(from);
    const read = this.#value(from);
    if (read && this.#afterAssertions(read.next) === end) return { value: read.value, next: end };
    return { value: this.#code(from, end), next: end };
  }

  #code(from: number, end: number): Value {
    return { kind: "code", text: this.#textBetween(from, end), line: this.#tokens[from]?.line ?? 0 };
  }

  #textBetween(from: number, end: number): string {
    const [first, last] = [this.#tokens[from], this.#tokens[end - 1]];
    return first && last ? this.#source.slice(first.start, last.end) : "";
  }

  /** Over `as const` and `satisfies Options`. */
  #afterAssertions(from: number): number {
    let i = from;
    while (["as", "satisfies"].includes(this.#textAt(i) ?? "")) {
      i += 2;
      while (this.#textAt(i) === ".") i += 2;
      i = this.#afterTypes(i);
    }
    return i;
  }

  #endOf(from: number): number {
    let depth = 0;
    for (let i = from; i < this.#tokens.length; i++) {
      const text = this.#textAt(i) ?? "";
      if (depth === 0 && (text === "," || text === ";" || closers.has(text))) return i;
      if (text in openers) depth++;
      else if (closers.has(text)) depth--;
    }
    return this.#tokens.length;
  }

  /** Sums and products of literals. Undefined for what is no literal. */
  #value(from: number): ReadValue | undefined {
    let left = this.#product(from);
    while (left && /^[+-]$/.test(this.#textAt(left.next) ?? "")) {
      const right = this.#product(left.next + 1);
      left = right && computed(left.value, this.#textAt(left.next) ?? "", right);
    }
    return left;
  }

  #product(from: number): ReadValue | undefined {
    let left = this.#single(from);
    while (left && /^[*/]$/.test(this.#textAt(left.next) ?? "")) {
      const right = this.#single(left.next + 1);
      left = right && computed(left.value, this.#textAt(left.next) ?? "", right);
    }
    return left;
  }

  #single(i: number): ReadValue | undefined {
    const token = this.#tokens[i];
    if (!token) return undefined;
    const { line, text } = token;
    if (token.kind === "number")
      return { value: { kind: "number", value: numberOf(text), line }, next: i + 1 };
    if (token.kind === "text") return { value: { kind: "text", value: token.value, line }, next: i + 1 };
    if (text === "-") {
      const read = this.#single(i + 1);
      return read?.value.kind === "number"
        ? { value: { ...read.value, value: -read.value.value }, next: read.next }
        : undefined;
    }
    if (text === "(") {
      const inner = this.#value(i + 1);
      return inner && this.#textAt(inner.next) === ")" ? { ...inner, next: inner.next + 1 } : undefined;
    }
    if (text === "[") {
      const { values, next } = this.#list(i);
      return { value: { kind: "list", items: values, line }, next };
    }
    if (text === "{") return this.#object(i);
    return token.kind === "word" ? this.#word(i, token) : undefined;
  }

  #word(i: number, { text, line }: Token): ReadValue | undefined {
    if (text === "true" || text === "false")
      return { value: { kind: "boolean", value: text === "true", line }, next: i + 1 };
    if (text === "undefined" || text === "null") return { value: { kind: "nothing", line }, next: i + 1 };
    let last = text === "new" ? i + 1 : i;
    const first = last;
    while (this.#textAt(last + 1) === "." && this.#tokens[last + 2]?.kind === "word") last += 2;
    const open = this.#afterTypes(last + 1);
    if (this.#textAt(open) === "(") {
      const name = Array.from({ length: last - first + 1 }, (_, j) => this.#textAt(first + j)).join("");
      const { values, next } = this.#list(open);
      const isChained = [".", "(", "=>", "["].includes(this.#textAt(next) ?? "");
      const all = this.#textBetween(i, next);
      return isChained ? undefined : { value: { kind: "call", name, args: values, text: all, line }, next };
    }
    return last === i ? this.#constant(text, i) : undefined;
  }

  #constant(name: string, i: number): ReadValue | undefined {
    const place = this.#constants.get(name);
    if (place === undefined || this.#resolving.has(name)) return undefined;
    this.#resolving.add(name);
    const read = this.#value(place);
    this.#resolving.delete(name);
    if (!read) return undefined;
    const after = this.#tokens[this.#afterAssertions(read.next)];
    const [isOver, isNewLine] = [
      after === undefined || after.text === ";",
      after && this.#isOnNewLine(after),
    ];
    if (!isOver && !(isNewLine && after?.kind === "word") && after?.text !== ",") return undefined;
    return { value: read.value, next: i + 1 };
  }

  #isOnNewLine({ start }: Token): boolean {
    const before = this.#source.slice(Math.max(0, start - 200), start);
    return before.slice(before.trimEnd().length).includes("\n");
  }

  #object(open: number): ReadValue | undefined {
    const fields = new Map<string, Value>();
    const spreads: Value[] = [];
    let i = open + 1;
    while (i < this.#tokens.length && this.#textAt(i) !== "}") {
      const next = this.#field(i, fields, spreads);
      if (next <= i) return undefined;
      i = this.#textAt(next) === "," ? next + 1 : next;
    }
    const line = this.#tokens[open]?.line ?? 0;
    return { value: { kind: "object", fields, spreads, line }, next: i + 1 };
  }

  /** Returns the place after the field. */
  #field(from: number, fields: Map<string, Value>, spreads: Value[]): number {
    if (this.#textAt(from) === "...") {
      const { value, next } = this.#expression(from + 1);
      if (value.kind !== "object") spreads.push(value);
      else {
        for (const [name, one] of value.fields) fields.set(name, one);
        spreads.push(...value.spreads);
      }
      return next;
    }
    const name = this.#tokens[from];
    if (!name) return from;
    const key = name.kind === "text" ? name.value : name.text;
    const after = this.#textAt(from + 1);
    if (after === ":") {
      const { value, next } = this.#expression(from + 2);
      fields.set(key, value);
      return next;
    }
    const end = this.#endOf(from);
    if (after === "," || after === "}")
      fields.set(key, this.#constant(key, from)?.value ?? this.#code(from, end));
    else fields.set(this.#methodName(from, key), this.#code(from, end));
    return end;
  }

  /** Of `async skip(request) { … }` and `get store() { … }`. */
  #methodName(from: number, key: string): string {
    const next = this.#tokens[from + 1];
    return next?.kind === "word" && /^(async|get|set)$/.test(key) ? next.text : key;
  }
}

/** A value as it is written, as far as that is kept. */
export function textOfValue(value: Value): string {
  if (value.kind === "code" || value.kind === "call") return value.text;
  return value.kind === "text" ? JSON.stringify(value.value) : `a ${value.kind}`;
}

interface ReadValue {
  readonly value: Value;
  readonly next: number;
}

function computed(left: Value, sign: string, { value: right, next }: ReadValue): ReadValue | undefined {
  if (left.kind === "text" && right.kind === "text" && sign === "+")
    return { value: { ...left, value: left.value + right.value }, next };
  if (left.kind !== "number" || right.kind !== "number") return undefined;
  const [a, b] = [left.value, right.value];
  const results: Readonly<Record<string, number>> = { "+": a + b, "-": a - b, "*": a * b, "/": a / b };
  return { value: { ...left, value: results[sign] ?? Number.NaN }, next };
}

const numberOf = (text: string) => Number(text.replaceAll("_", ""));

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let at = 0;
  while (at < source.length) {
    const character = source.charAt(at);
    if (character === "\n") line++;
    if (blank.test(character)) {
      at++;
      continue;
    }
    const end = endOfToken(source, at, tokens.at(-1));
    if (end.kind !== "comment") {
      const text = source.slice(at, end.at);
      const value = end.kind === "text" ? unquoted(text) : text;
      tokens.push({ kind: end.kind, text, value, line, start: at, end: end.at });
    }
    line += source.slice(at, end.at).split("\n").length - 1;
    at = end.at;
  }
  return tokens;
}

function endOfToken(
  source: string,
  at: number,
  before: Token | undefined,
): { readonly kind: Token["kind"] | "comment"; readonly at: number } {
  const [first, second] = [source.charAt(at), source.charAt(at + 1)];
  if (first === "/" && second === "/") return { kind: "comment", at: indexAfter(source, "\n", at) - 1 };
  if (first === "#" && second === "!" && at === 0)
    return { kind: "comment", at: indexAfter(source, "\n", at) - 1 };
  if (first === "/" && second === "*") return { kind: "comment", at: indexAfter(source, "*/", at + 2) };
  if (first === "'" || first === '"') return { kind: "text", at: endOfQuoted(source, at, first) };
  if (first === "`") {
    const end = endOfQuoted(source, at, first);
    return { kind: source.slice(at, end).includes("${") ? "code" : "text", at: end };
  }
  if (first === "/" && startsPattern(before)) return { kind: "pattern", at: endOfPattern(source, at) };
  if (wordStart.test(first)) return { kind: "word", at: endOfRun(source, at + 1, wordPart) };
  if (digit.test(first) || (first === "." && digit.test(second)))
    return { kind: "number", at: endOfRun(source, at + 1, /[\w.]/) };
  const sign = signs.find((one) => source.startsWith(one, at)) ?? first;
  return { kind: "sign", at: at + sign.length };
}

function startsPattern(before: Token | undefined): boolean {
  if (!before || before.kind === "sign") return !before || !endsValue.test(before.text);
  return before.kind === "word" && beforePattern.has(before.text);
}

/** The end of the source if the text is not there. */
function indexAfter(source: string, text: string, from: number): number {
  const found = source.indexOf(text, from);
  return found < 0 ? source.length + 1 : found + text.length;
}

function endOfRun(source: string, from: number, part: RegExp): number {
  let at = from;
  while (at < source.length && part.test(source.charAt(at))) at++;
  return at;
}

function endOfQuoted(source: string, from: number, quote: string): number {
  let depth = 0;
  for (let at = from + 1; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === "\\") at++;
    else if (quote === "`" && source.startsWith("${", at)) depth++;
    else if (depth > 0 && character === "}") depth--;
    else if (depth === 0 && character === quote) return at + 1;
  }
  return source.length;
}

function endOfPattern(source: string, from: number): number {
  let isInClass = false;
  for (let at = from + 1; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === "\n") return at;
    if (character === "\\") at++;
    else if (character === "[") isInClass = true;
    else if (character === "]") isInClass = false;
    else if (character === "/" && !isInClass) return endOfRun(source, at + 1, /[a-z]/);
  }
  return source.length;
}

function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g, (_, unit, byte, other) => {
      if (unit ?? byte) return String.fromCharCode(Number.parseInt(unit ?? byte, 16));
      return other === "\n" ? "" : (escapes[other] ?? other);
    });
}
