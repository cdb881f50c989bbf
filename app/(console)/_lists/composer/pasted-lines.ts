import { parseAddress } from "../../../../lib/ip/parse.ts";

/** Addresses that were copied from a log or a mail stand beside each other; here each gets a line of its own. */
export function linesOf(pasted: string): string {
  return pasted
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => (areAddresses(partsOf(line)) ? partsOf(line).join("\n") : line))
    .join("\n");
}

function partsOf(line: string): readonly string[] {
  return line.split(/[\s,;|]+/).filter(Boolean);
}

/** Anything else between them may be a life or a reason, and stays where it is. */
function areAddresses(parts: readonly string[]): boolean {
  return parts.length > 1 && parts.every((part) => parseAddress(part).ok);
}
