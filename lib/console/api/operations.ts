import { alarmOperations } from "./alarm-operations.ts";
import { customerOperations } from "./customer-operations.ts";
import { denialOperations } from "./denial-operations.ts";
import { entryOperations } from "./entry-operations.ts";
import { feedOperations } from "./feed-operations.ts";
import { insightOperations, tokenOperation } from "./insight-operations.ts";
import type { Operation } from "./operation.ts";
import { overrideOperations } from "./override-operations.ts";
import { policyOperations } from "./policy-operations.ts";
import { requestOperations } from "./request-operations.ts";

/** Every operation of the API, in the order of the document. */
export const operations: readonly Operation[] = [
  tokenOperation,
  ...entryOperations("blocklist"),
  ...entryOperations("safelist"),
  ...customerOperations,
  ...overrideOperations,
  ...policyOperations,
  ...feedOperations,
  ...alarmOperations,
  ...requestOperations,
  ...insightOperations,
  ...denialOperations,
];

export interface PathMatch {
  /** Operations of the path, one for each method. */
  readonly operations: readonly Operation[];
  readonly params: Readonly<Record<string, string>>;
}

/** The operations of a path below /api/v1. A path without parameters wins over one with. */
export function matchPath(pathname: string): PathMatch | undefined {
  const matches = operations.flatMap((operation) => {
    const params = paramsOf(operation.path, pathname);
    return params ? [{ operation, params }] : [];
  });
  const fixed = matches.filter(({ params }) => Object.keys(params).length === 0);
  const [first, ...others] = fixed.length > 0 ? fixed : matches;
  if (!first) return undefined;
  const same = others.filter(({ operation }) => operation.path === first.operation.path);
  return { operations: [first, ...same].map(({ operation }) => operation), params: first.params };
}

/** Values of the placeholders. The last one may contain a slash, because ranges do and proxies decode %2F. */
function paramsOf(path: string, pathname: string): Record<string, string> | undefined {
  const [wanted, given] = [path.split("/"), pathname.split("/")];
  const isOpen = wanted.at(-1) === "{address}";
  const parts = isOpen
    ? [...given.slice(0, wanted.length - 1), given.slice(wanted.length - 1).join("/")]
    : given;
  if (parts.length !== wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = parts[i] ?? "";
    if (!part.startsWith("{")) {
      if (part !== value) return undefined;
      continue;
    }
    const decoded = decodedPart(value);
    if (decoded === undefined || decoded === "") return undefined;
    params[part.slice(1, -1)] = decoded;
  }
  return params;
}

function decodedPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
