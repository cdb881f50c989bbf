import { parseArgs } from "node:util";
import { type Command, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import { nearest } from "./nearest.ts";
import { commonOptions, isOptionName, type OptionName, Options, optionNames, optionOf } from "./options.ts";

export type CommandLine =
  | { readonly wants: "version"; readonly options: Options }
  | { readonly wants: "help"; readonly options: Options; readonly about: string }
  | {
      readonly wants: "command";
      readonly options: Options;
      readonly command: Command;
      readonly operands: readonly string[];
    };

/** Reads a command line. Options may stand anywhere; what follows `--` is never one. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { options, words } = readWords(argv);
  if (options.text("version") === "") return { wants: "version", options };
  if (words[0] === "help") return { wants: "help", options, about: words.slice(1).join(" ") };
  const command = findCommand(words);
  if (options.has("help")) {
    return { wants: "help", options, about: command?.name ?? words[0] ?? "" };
  }
  if (!command) throw new UsageError(unknownCommand(words), groupOf(words));
  const operands = words.slice(command.name.split(" ").length);
  checkOptions(command, options);
  checkOperands(command, operands);
  return { wants: "command", options, command, operands };
}

/** Tells apart options and words before the command is known: an option takes a value or takes none everywhere. */
function readWords(argv: readonly string[]): { options: Options; words: string[] } {
  const known = optionNames.map((name) => {
    const { value, isOptional, short } = optionOf(name);
    return [name, { type: value && !isOptional ? "string" : "boolean", ...(short && { short }) }] as const;
  });
  const { tokens } = parseArgs({
    args: withNumbers(argv),
    options: Object.fromEntries(known),
    strict: false,
    tokens: true,
  });
  const given = new Map<OptionName, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const name = knownOption(token.name, token.rawName);
    given.set(name, [...(given.get(name) ?? []), textFor(name, token.value, token.inlineValue)]);
  }
  return { options: new Options(given), words };
}

/** `--version 3` as `--version=3`: its value may be left out, so it would be taken for a word. */
function withNumbers(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of argv) {
    if (joined.at(-1) === "--version" && /^\d+$/.test(word)) joined.push(`${joined.pop()}=${word}`);
    else joined.push(word);
  }
  return joined;
}

function knownOption(name: string, rawName: string): OptionName {
  if (isOptionName(name)) return name;
  throw new UsageError(`There is no option ${rawName}.${hint(nearest(name, optionNames), "--")}`);
}

function textFor(name: OptionName, value: string | undefined, isInline: boolean | undefined): string {
  const { value: called, isOptional } = optionOf(name);
  if (!called && value !== undefined) throw new UsageError(`--${name} takes no value.`);
  if (!called || (isOptional && value === undefined)) return "";
  const isNextOption = !isInline && value?.startsWith("-") && value !== "-";
  if (value !== undefined && !isNextOption) return value;
  throw new UsageError(`--${name} needs a value: --${name}=${called}`);
}

function findCommand(words: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(" ").every((word, i) => words[i] === word));
}

function unknownCommand([first, second]: readonly string[]): string {
  if (first === undefined) return "Which command?";
  const firsts = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""))];
  if (!firsts.includes(first)) return `There is no command "${first}".${hint(nearest(first, firsts))}`;
  const verbs = commands.flatMap(({ name }) =>
    name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
  );
  const choice = `It takes one of ${verbs.join(", ")}.`;
  if (second === undefined) return `What shall be done? ${first}: ${choice}`;
  return `"${first}" has no "${second}".${hint(nearest(second, verbs), `${first} `)} ${choice}`;
}

function groupOf([first = ""]: readonly string[]): string {
  return commands.some(({ name }) => name.startsWith(`${first} `)) ? first : "";
}

function checkOptions(command: Command, options: Options): void {
  const taken = [...command.options, ...commonOptions];
  const foreign = options.names.find((name) => !taken.includes(name));
  if (foreign === undefined) return;
  const list = taken.map((name) => `--${name}`).join(", ");
  throw new UsageError(`"${command.name}" takes no --${foreign}. It takes ${list}.`, command.name);
}

function checkOperands({ name, takes, operands }: Command, given: readonly string[]): void {
  if (given.length < operands.least)
    throw new UsageError(`Something is missing: sluice ${name} ${takes}`, name);
  if (given.length <= operands.most) return;
  const surplus = given[operands.most] ?? "";
  throw new UsageError(`"${surplus}" is one too many: sluice ${name} ${takes}`.trim(), name);
}

function hint(meant: string | undefined, before = ""): string {
  return meant === undefined ? "" : ` Did you mean "${before}${meant}"?`;
}
