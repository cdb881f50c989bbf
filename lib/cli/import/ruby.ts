interface RubyToken {
  readonly kind: "word" | "number" | "text" | "symbol" | "sign" | "pattern" | "code";
  readonly text: string;
  /** Without quotes. */
  readonly value: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly isFirstOfLine: boolean;
}

/** An argument, by its name where it has one. */
export interface RubyArgument {
  readonly name: string | undefined;
  readonly tokens: readonly RubyToken[];
  readonly line: number;
}

/** A call with its block. */
export interface RubyCall {
  /** The last name: `throttle` of `Rack::Attack.throttle`. */
  readonly name: string;
  /** What is before it: `Rack::Attack`, `self`, or nothing. */
  readonly of: string;
  readonly args: readonly RubyArgument[];
  /** The name of the block's parameter, and what is in it. Undefined without a block. */
  readonly block: { readonly parameter: string; readonly tokens: readonly RubyToken[] } | undefined;
  readonly line: number;
}

const opensBlock = new Set(["do", "def", "class", "module", "begin", "case"]);
/** After a value these are modifiers, and have no end. */
const opensAtStart = new Set(["if", "unless", "while", "until"]);
const openers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const closers = new Set(Object.values(openers));
const signs = [
  "===",
  "<=>",
  "==",
  "!=",
  "=~",
  "!~",
  "&&",
  "||",
  "=>",
  "->",
  "::",
  "&.",
  "<=",
  ">=",
  "**",
  "...",
];
const closing: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]", "<": ">" };
const wordPart = /[\p{L}\p{N}_]/u;
const seconds: Readonly<Record<string, number>> = {
  ...{ second: 1, seconds: 1, minute: 60, minutes: 60, hour: 3_600, hours: 3_600 },
  ...{ day: 86_400, days: 86_400, week: 604_800, weeks: 604_800, to_i: 1, to_f: 1 },
};

/** A Ruby file, of which calls with their literal arguments and blocks are understood. Nothing of it is run. */
export class RubyFile {
  readonly #tokens: readonly RubyToken[];
  readonly #constants = new Map<string, number | undefined>();

  constructor(source: string) {
    this.#tokens = rubyTokensOf(source);
    this.#tokens.forEach((token, i) => {
      if (!/^[A-Z]/.test(token.text) || this.#tokens[i + 1]?.text !== "=" || !token.isFirstOfLine) return;
      const end = this.#tokens.findIndex((other, j) => j > i + 1 && other.isFirstOfLine);
      const value = this.numberIn(this.#tokens.slice(i + 2, end < 0 ? undefined : end));
      this.#constants.set(token.text, this.#constants.has(token.text) ? undefined : value);
    });
  }

  /** Calls of methods with one of these names. */
  calls(names: ReadonlySet<string>): RubyCall[] {
    return this.#tokens.flatMap((token, i) => {
      if (token.kind !== "word" || !names.has(token.text)) return [];
      const before = this.#tokens[i - 1]?.text;
      if (before === "def" || before === "=" || (before === "." && this.#tokens[i + 1]?.text === "="))
        return [];
      return [this.#call(i)];
    });
  }

  /** A number, and arithmetic and durations of it: `5 * 60`, `5.minutes`. Undefined for code. */
  numberIn(tokens: readonly RubyToken[]): number | undefined {
    let product = 1;
    let i = 0;
    while (i < tokens.length) {
      const token = tokens[i];
      const constant = token && this.#constants.get(token.text);
      if (token?.kind === "number") product *= Number(token.text.replaceAll("_", ""));
      else if (constant !== undefined) product *= constant;
      else return undefined;
      i++;
      while (tokens[i]?.text === ".") {
        const unit = seconds[tokens[i + 1]?.text ?? ""];
        if (unit === undefined) return undefined;
        product *= unit;
        i += 2;
      }
      if (i < tokens.length && tokens[i]?.text !== "*") return undefined;
      i++;
    }
    return tokens.length === 0 ? undefined : product;
  }

  /** Tokens as they are written, on one line and without comments. */
  textOf(tokens: readonly RubyToken[]): string {
    return tokens
      .map(({ text, start }, i) => {
        const gap = i > 0 ? start - (tokens[i - 1]?.end ?? 0) : 0;
        return `${gap > 0 ? " " : ""}${text.replace(/\s+/g, " ")}`;
      })
      .join("");
  }

  #call(i: number): RubyCall {
    const name = this.#tokens[i];
    const hasParentheses = this.#tokens[i + 1]?.text === "(" && this.#tokens[i + 1]?.start === name?.end;
    const { args, next } = this.#arguments(hasParentheses ? i + 2 : i + 1, hasParentheses);
    return {
      ...{ name: name?.text ?? "", of: this.#before(i), line: name?.line ?? 0, args },
      block: this.#block(next),
    };
  }

  #before(i: number): string {
    let first = i;
    while ([".", "::"].includes(this.#tokens[first - 1]?.text ?? "")) first -= 2;
    return this.textOf(this.#tokens.slice(Math.max(0, first), Math.max(0, i - 1)));
  }

  #arguments(
    from: number,
    hasParentheses: boolean,
  ): { readonly args: RubyArgument[]; readonly next: number } {
    const args: RubyArgument[] = [];
    let depth = 0;
    let tokens: RubyToken[] = [];
    let i = from;
    const end = () => {
      if (tokens.length > 0) args.push(argumentOf(tokens));
      tokens = [];
    };
    for (; i < this.#tokens.length; i++) {
      const token = this.#tokens[i];
      if (!token) break;
      const isBlock = depth === 0 && (token.text === "do" || (token.text === "{" && !continues(tokens)));
      const isOver =
        !hasParentheses &&
        depth === 0 &&
        token.isFirstOfLine &&
        i > from &&
        !continues(tokens) &&
        tokens.length > 0;
      if (depth === 0 && (token.text === ")" || token.text === "}" || token.text === "end" || isOver)) break;
      if (!hasParentheses && isBlock) break;
      if (depth === 0 && token.text === ",") {
        end();
        continue;
      }
      if (token.text in openers) depth++;
      else if (closers.has(token.text)) depth--;
      tokens.push(token);
    }
    end();
    return { args, next: hasParentheses && this.#tokens[i]?.text === ")" ? i + 1 : i };
  }

  #block(open: number): RubyCall["block"] {
    const opener = this.#tokens[open]?.text;
    if (opener !== "do" && opener !== "{") return undefined;
    const hasParameter = this.#tokens[open + 1]?.text === "|";
    const parameter = hasParameter ? (this.#tokens[open + 2]?.text ?? "") : "";
    let from = open + 1;
    if (hasParameter) {
      from = open + 2;
      while (from < this.#tokens.length && this.#tokens[from]?.text !== "|") from++;
      from++;
    }
    let depth = 1;
    let i = from;
    for (; i < this.#tokens.length; i++) {
      const token = this.#tokens[i];
      if (!token) break;
      if (opens(token, this.#tokens[i - 1])) depth++;
      else if (token.text === "end" || token.text === "}") depth--;
      if (depth === 0) break;
    }
    return { parameter, tokens: this.#tokens.slice(from, i) };
  }
}

/** Whether a line goes on after these. */
function continues(tokens: readonly RubyToken[]): boolean {
  const last = tokens.at(-1);
  return (
    last === undefined ||
    ["=>", ":", ",", "=", "(", "&&", "||", "->", "*", "+"].includes(last.text) ||
    (last.kind === "sign" && !closers.has(last.text))
  );
}

function opens(token: RubyToken, before: RubyToken | undefined): boolean {
  if (token.text === "{") return true;
  if (token.kind !== "word") return false;
  return (
    opensBlock.has(token.text) ||
    (opensAtStart.has(token.text) && (token.isFirstOfLine || before?.text === "="))
  );
}

/** `limit: 5`, `:limit => 5`, `"name"`. */
function argumentOf(tokens: readonly RubyToken[]): RubyArgument {
  const [first, second] = tokens;
  const line = first?.line ?? 0;
  if (
    first &&
    second &&
    ((first.kind === "word" && second.text === ":") || (first.kind === "symbol" && second.text === "=>"))
  )
    return { name: first.value, tokens: tokens.slice(2), line };
  return { name: undefined, tokens, line };
}

function rubyTokensOf(source: string): RubyToken[] {
  const tokens: RubyToken[] = [];
  let line = 1;
  let at = 0;
  let isFirstOfLine = true;
  while (at < source.length) {
    const character = source.charAt(at);
    if (source.startsWith("=begin", at) && (at === 0 || source.charAt(at - 1) === "\n")) {
      const end = source.indexOf("\n=end", at);
      const after = end < 0 ? source.length : end + 5;
      line += source.slice(at, after).split("\n").length - 1;
      at = after;
    } else if (character === "\n" || character === ";") {
      if (character === "\n") line++;
      isFirstOfLine = true;
      at++;
    } else if (/\s/.test(character) || source.startsWith("\\\n", at)) {
      if (character === "\\") line++;
      at += character === "\\" ? 2 : 1;
    } else if (character === "#") {
      const end = source.indexOf("\n", at);
      at = end < 0 ? source.length : end;
    } else {
      const { kind, end, value } = rubyToken(source, at, tokens.at(-1));
      const text = source.slice(at, end);
      // A line that begins with a dot goes on with the one before.
      const isFirst = isFirstOfLine && character !== "." && !text.startsWith("&");
      tokens.push({ kind, text, value: value ?? text, line, start: at, end, isFirstOfLine: isFirst });
      isFirstOfLine = false;
      line += text.split("\n").length - 1;
      at = end;
    }
  }
  return tokens;
}

interface ReadToken {
  readonly kind: RubyToken["kind"];
  readonly end: number;
  readonly value?: string;
}

function rubyToken(source: string, at: number, before: RubyToken | undefined): ReadToken {
  const [first, second] = [source.charAt(at), source.charAt(at + 1)];
  if (first === "'" || first === '"' || first === "`") return quoted(source, at, first);
  const percent = /^%[wWiIqQr]?([([{<|/!])/.exec(source.slice(at, at + 3));
  if (percent && !endsRubyValue(before)) {
    const open = percent[1] ?? "";
    const end = endOfDelimited(source, at + percent[0].length, open);
    const value = source.slice(at + percent[0].length, end - 1);
    if (percent[0].startsWith("%r")) return { kind: "pattern", end: endOfWord(source, end) };
    return { kind: /^%[wWiI]/.test(percent[0]) ? "code" : "text", end, value };
  }
  if (first === "/" && !endsRubyValue(before)) {
    const end = endOfDelimited(source, at + 1, "/");
    return { kind: "pattern", end: endOfWord(source, end) };
  }
  if (first === ":" && second !== ":" && /[\w"]/.test(second)) {
    if (second === '"') {
      const { end, value } = quoted(source, at + 1, '"');
      return { kind: "symbol", end, ...(value !== undefined && { value }) };
    }
    const end = endOfWord(source, at + 1);
    return { kind: "symbol", end, value: source.slice(at + 1, end) };
  }
  if (/[\p{L}_@$]/u.test(first)) {
    const end = endOfWord(source, at + 1);
    const hasMark = /[?!]/.test(source.charAt(end)) && source.charAt(end + 1) !== "=";
    return { kind: "word", end: hasMark ? end + 1 : end };
  }
  if (/\d/.test(first)) {
    const [digits = first] = /^\d[\d_]{0,30}(?:\.\d{1,15})?/.exec(source.slice(at, at + 50)) ?? [];
    return { kind: "number", end: at + digits.length };
  }
  const sign = signs.find((one) => source.startsWith(one, at)) ?? first;
  return { kind: "sign", end: at + sign.length };
}

const endsRubyValue = (before: RubyToken | undefined): boolean =>
  before !== undefined &&
  (["number", "text", "symbol", "pattern", "code"].includes(before.kind) ||
    (before.kind === "word" && !/^(if|unless|and|or|not|return|when|while|until)$/.test(before.text)) ||
    closers.has(before.text));

function endOfWord(source: string, from: number): number {
  let at = from;
  while (at < source.length && wordPart.test(source.charAt(at))) at++;
  return at;
}

function quoted(source: string, at: number, quote: string): ReadToken {
  const end = endOfDelimited(source, at + 1, quote);
  const value = source.slice(at + 1, end - 1);
  return quote !== "'" && value.includes("#{") ? { kind: "code", end } : { kind: "text", end, value };
}

/** The place after the end of a text whose opening sign was read. */
function endOfDelimited(source: string, from: number, open: string): number {
  const close = closing[open] ?? open;
  let depth = 1;
  for (let at = from; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === "\\") at++;
    else if (open === '"' && source.startsWith("#{", at)) at = endOfDelimited(source, at + 2, "{") - 1;
    else if (character === close) {
      if (--depth === 0) return at + 1;
    } else if (character === open) depth++;
  }
  return source.length;
}
