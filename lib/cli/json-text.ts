import { printParseErrorCode, stripComments, visit } from "jsonc-parser";
import { DomainError } from "../errors.ts";

/** Parses JSON that a person wrote, comments included. An error names the line and column of the first mistake. */
export function parseJson(text: string): unknown {
  const json = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(stripComments(json, " "));
  } catch (cause) {
    const problem = problemOf(json);
    throw new DomainError(
      "bad-input",
      `The file is not valid JSON. ${problem}.`,
      { file: problem },
      { cause },
    );
  }
}

// JSON.parse names the position only sometimes, and in other words in each version of Node.
function problemOf(json: string): string {
  let first: string | undefined;
  const onError = (code: number, offset: number, length: number, line: number, column: number) => {
    first ??= `Line ${line + 1}, column ${column + 1}: ${sayMistake(code, json.slice(offset, offset + length))}`;
  };
  try {
    visit(json, { onError });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return first ?? "Its values are nested too deeply to read";
}

const mistakes: Readonly<Record<string, string>> = {
  PropertyNameExpected: "expected a name in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: 'expected ":"',
  CommaExpected: 'expected "," or a closing bracket',
  CloseBraceExpected: 'expected "," or "}"',
  CloseBracketExpected: 'expected "," or "]"',
  EndOfFileExpected: "expected the end of the file",
  UnexpectedEndOfComment: "the comment has no end",
  UnexpectedEndOfString: "the text has no closing quote in its line",
  UnexpectedEndOfNumber: "the number is incomplete",
  InvalidEscapeCharacter: "the text has an invalid escape",
  InvalidUnicode: "the text has an invalid escape",
  InvalidCharacter: "the text has a control character",
};

function sayMistake(code: number, found: string): string {
  const words = mistakes[printParseErrorCode(code)] ?? "expected a value or a name in double quotes";
  return `${words}, found ${found === "" ? "the end of the file" : cut(found)}`;
}

const cut = (text: string) => (text.length > 30 ? `${text.slice(0, 30)}…` : text);
