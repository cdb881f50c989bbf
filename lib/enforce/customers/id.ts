import type { Parsed } from "../../ip/parse.ts";
import type { CustomerId } from "../../redis/keys.ts";

const longest = 64;

/** Reads what a person typed as a customer's id. */
export function parseCustomerId(text: string): Parsed<CustomerId> {
  const trimmed = text.trim();
  if (isCustomerId(trimmed)) return { ok: true, value: trimmed };
  if (trimmed === "") return { ok: false, reason: "A customer id is missing" };
  const shown = trimmed.replace(/[^ -~]/g, "\ufffd").slice(0, 50);
  const why =
    trimmed.length > longest
      ? `it has at most ${longest} characters`
      : "it has letters, digits and _ . @ - only";
  return { ok: false, reason: `"${shown}" is not a customer id: ${why}` };
}

/** Whether the text is an id as in keys. For the hot path. */
export function isCustomerId(text: string): text is CustomerId {
  if (text.length === 0 || text.length > longest) return false;
  for (let i = 0; i < text.length; i++) if (!isIdCode(text.charCodeAt(i))) return false;
  return true;
}

/** A-Z a-z 0-9 _ . @ - */
function isIdCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 64 && code <= 90) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}
