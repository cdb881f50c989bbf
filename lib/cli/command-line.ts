import { parseArgs } from "node:util";
import { at } from "../at.ts";
import { didYouMean } from "../nearest.ts";
import { type Command, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import {
  commonOptions,
  GivenOptions,
  isOptionName,
  type OptionName,
  optionNames,
  optionOf,
} from "./options.ts";

export type CommandLine =
  | { readonly wants: "version"; readonly options: GivenOptions }
  | { readonly wants: "help"; readonly options: GivenOptions; readonly about: string }
  | {
      readonly wants: "command";
      readonly options: GivenOptions;
      readonly command: Command;
      readonly operands: readonly string[];
    };

/** Reads a command line. Options may be anywhere before `--`. */
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

/** Separates options from words before the command is known: an option takes a value in every command, or in none. */
function readWords(argv: readonly string[]): { options: GivenOptions; words: string[] } {
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
  return { options: new GivenOptions(given), words };
}

/** Turns `--version 3` into `--version=3`: the value is optional, so it would be read as a word. */
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
  throw new UsageError(`Unknown option ${rawName}.${didYouMean(name, optionNames, "--")}`);
}

function textFor(name: OptionName, value: string | undefined, isInline: boolean | undefined): string {
  const { value: shownValue, isOptional } = optionOf(name);
  if (!shownValue && value !== undefined) throw new UsageError(`--${name} takes no value.`);
  if (!shownValue || (isOptional && value === undefined)) return "";
  const isNextOption = !isInline && value?.startsWith("-") && value !== "-";
  if (value !== undefined && !isNextOption) return value;
  throw new UsageError(`--${name} needs a value: --${name}=${shownValue}`);
}

function findCommand(words: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(" ").every((word, i) => words[i] === word));
}

function unknownCommand([first, second]: readonly string[]): string {
  if (first === undefined) return "The command is missing.";
  const firsts = [...new Set(commands.map(({ name }) => at(name.split(" "), 0)))];
  if (!firsts.includes(first)) return `Unknown command "${first}".${didYouMean(first, firsts)}`;
  const verbs = commands.flatMap(({ name }) =>
    name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
  );
  const choice = `It takes one of ${verbs.join(", ")}.`;
  if (second === undefined) return `"${first}" is only part of a command. ${choice}`;
  return `"${first}" has no "${second}".${didYouMean(second, verbs, `${first} `)} ${choice}`;
}

function groupOf([first = ""]: readonly string[]): string {
  return commands.some(({ name }) => name.startsWith(`${first} `)) ? first : "";
}

function checkOptions(command: Command, options: GivenOptions): void {
  const taken = [...command.options, ...commonOptions];
  const foreign = options.names.find((name) => !taken.includes(name));
  if (foreign === undefined) return;
  const list = taken.map((name) => `--${name}`).join(", ");
  throw new UsageError(`"${command.name}" takes no --${foreign}. It takes ${list}.`, command.name);
}

function checkOperands({ name, takes, operands }: Command, given: readonly string[]): void {
  if (given.length < operands.least)
    throw new UsageError(`An argument is missing. Usage: sluice ${name} ${takes}`, name);
  if (given.length <= operands.most) return;
  const surplus = at(given, operands.most);
  throw new UsageError(`"${surplus}" is one argument too many. Usage: sluice ${name} ${takes}`.trim(), name);
}
