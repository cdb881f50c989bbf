import { expect, test } from "vitest";
import { costlyRun } from "./pattern-cost.mjs";

/** @param {RegExp} pattern */
const runOf = ({ source, flags }) => costlyRun(source, flags);

test.each([
  [/\s*#.*$/s, "\\s*"],
  [/\s+$/, "\\s+"],
  [/(\d+)[wdh]/g, "\\d+"],
  [/\S+@\S+/, "\\S+"],
  [/[^@]*@/, "[^@]*"],
  [/.*?x/, ".*"],
  [/a{2,}b/, "a{2,}"],
  [/\s{0,1001}#/, "\\s{0,1001}"],
  [/(?:ab){1,5000}c/, "(ab){1,5000}"],
  [/x?\s*:/, "\\s*"],
  [/::.*::;/, ".*"],
  [/^\s*\s*x/, "\\s*"],
  [/^(.*),(.*);/, ".*"],
  [/(?:ab)*c/, "(ab)*"],
  [/^x|\s+y/, "\\s+"],
  [/(?=\s*x)/, "\\s*"],
  [/\w+\b!/, "\\w+"],
  [/^\s+$/m, "\\s+"],
  [/(b)?[a-z]*\1/i, "[a-z]*"],
  [/^(?:a+)+$/, "a+"],
])("%s is costly for its %s", (pattern, run) => {
  expect(runOf(pattern)).toBe(run);
});

test.each([
  /\s+/g,
  /#.*/,
  /^\s*#.*$/,
  /^.*x/,
  /\d{1,12}[wdh]/g,
  /\s{0,1000}#/,
  /x\s*$/,
  /(?<!\s)\s+$/,
  /(?<![.\s])[.\s]+$/,
  /\b\w+@/,
  /"(?:[^"\\]|\\.)*"?/g,
  /[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*(?=[,\r\n]|$)/y,
  /^(?:\d+,)*\d+$/,
  /^[^@]*@[^.]*\.[a-z]+$/,
  /^#\s*(\w+)$/m,
  /<[^<>]*>/g,
  /a|b*/,
  /\p{L}+/u,
  /^[\]\-^]+$/,
  /(?<name>x)\k<name>y*/,
  /^\u{1F600}?\x41*$/u,
])("%s is not", (pattern) => {
  expect(runOf(pattern)).toBeUndefined();
});
