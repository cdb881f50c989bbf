import { parseAddress } from "@/lib/ip/parse.ts";

/** Text with each address on its own line. Addresses copied from a log or a mail are often on one line. */
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

/** Any other text between the addresses may be a duration or a reason. Such lines are not split. */
function areAddresses(parts: readonly string[]): boolean {
  return parts.length > 1 && parts.every((part) => parseAddress(part).ok);
}
