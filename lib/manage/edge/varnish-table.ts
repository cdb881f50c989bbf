import { isKey } from "../../enforce/policy/fingerprint.ts";

const digits = [..."0123456789abcdef"];

const head = `# Keys of limited clients. Sluice writes this file, and reverts other changes to it.
sub sluice_look_up {
`;

/**
 * The table in VCL: one string for each first digit, searched as a whole. Varnish would compile one comparison for each key
 * fifty times as long.
 */
export function tableText(keys: ReadonlySet<string>): string {
  const sorted = [...keys].filter(isKey).sort();
  const parts = digits.flatMap((digit) => {
    const some = sorted.filter((key) => key.startsWith(digit));
    return some.length === 0 ? [] : [part(digit, some)];
  });
  return `${head}${parts.join("")}}\n`;
}

function part(digit: string, keys: readonly string[]): string {
  return `  if (req.http.X-Sluice-Key ~ "^${digit}" && std.strstr({"
${keys.join("\n")}
"}, req.http.X-Sluice-Key)) {
    set req.http.X-Sluice-Limited = "true";
  }
`;
}

/** Keys of the table in a text. Undefined without a table. */
export function readTable(text: string): Set<string> | undefined {
  const start = text.indexOf("\nsub sluice_look_up {");
  if (start < 0) return undefined;
  const table = text.slice(start, text.indexOf("\n}", start));
  const parts = table.matchAll(
    /^ *if \(req\.http\.X-Sluice-Key ~ "\^([0-9a-f])" && std\.strstr\(\{"([^"]*)"\}/gm,
  );
  const keys = new Set<string>();
  for (const [, digit = "", listed = ""] of parts)
    for (const key of listed.split(/\s+/)) if (isKey(key) && key.startsWith(digit)) keys.add(key);
  return keys;
}
