import { at } from "../../at.ts";
import { type Block, format } from "../../ip/block.ts";

/** Does the text of an address begin with this? Undefined where no address of the family can. */
export interface PrefixTest {
  /** For IPv4 the word is enough, except for the beginning of a range, which takes the block. */
  readonly v4?: (a: number, block: () => Block) => boolean;
  readonly v6?: (block: Block) => boolean;
}

/** Numbers are compared as far as they go: to write a million addresses out takes half a second. */
export function prefixTest(text: string): PrefixTest {
  const [v4, v6] = [testV4(text), testV6(text)];
  return { ...(v4 && { v4 }), ...(v6 && { v6 }) };
}

function testV4(text: string): PrefixTest["v4"] {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2}))*\.?(\/\d*)?$/.test(text)) return undefined;
  const parts = text.replace(/\/.*/, "").split(".");
  const last = parts.length - 1;
  const whole = parts.slice(0, last).map(Number);
  if (last > 3 || whole.some((part) => part > 255)) return undefined;
  const shift = 32 - 8 * last;
  const base = whole.reduce((sum, part) => (sum << 8) | part, 0) << shift;
  const begins = Array.from({ length: 256 }, (_, part) => String(part).startsWith(at(parts, last)));
  const isExact = text.includes("/");
  return (a, block) => {
    if (last > 0 && (a ^ base) >>> shift !== 0) return false;
    if (begins[(a >>> (shift - 8)) & 255] !== true) return false;
    return !isExact || format(block()).startsWith(text);
  };
}

function testV6(text: string): PrefixTest["v6"] {
  if (!/^[\da-f:]+(\/\d*)?$/.test(text) || text.length > 49) return undefined;
  const rest = text.replace(/^(?:[\da-f]{1,4}(?::(?!:)|$|(?=::|\/)))*/, "");
  const head = text.slice(0, text.length - rest.length);
  const groups = head.replace(/:$/, "").split(":").filter(Boolean);
  // Without anything behind it, the last group may go on with more digits.
  const open = rest === "" && !head.endsWith(":") ? groups.pop() : undefined;
  const whole = groups.map((group) => Number.parseInt(group, 16));
  const hasZero = whole.includes(0);
  return (block) => {
    for (let i = 0; i < whole.length; i++) if (groupOf(block, i) !== whole[i]) return false;
    const next = groupOf(block, whole.length);
    if (rest !== "" && next !== 0) return false;
    // A group of zeros may be swallowed by "::".
    if (next === 0 || rest !== "" || hasZero) return format(block).startsWith(text);
    return open === undefined || mayBegin(next, open);
  };
}

/** Does a group that is not zero begin with these digits? */
function mayBegin(group: number, digits: string): boolean {
  if (digits.startsWith("0")) return false;
  const wanted = digits === "" ? 0 : Number.parseInt(digits, 16);
  for (let rest = group; rest >= wanted; rest >>>= 4) if (rest === wanted) return true;
  return false;
}

function groupOf({ a, b, c, d }: Block, i: number): number {
  const word = i < 2 ? a : i < 4 ? b : i < 6 ? c : i < 8 ? d : 0;
  return i % 2 === 0 ? word >>> 16 : word & 0xffff;
}
