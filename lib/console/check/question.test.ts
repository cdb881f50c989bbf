import { expect, it } from "vitest";
import { readQuestion } from "./question.ts";

const read = (query: string) => readQuestion(new URLSearchParams(query));

it.each([
  ["", {}],
  ["app=shop", { app: "shop" }],
  ["mode=nginx&app=shop-2", { app: "shop-2", isForNginx: true }],
  ["mode=nginx&body=headers", { isForNginx: true, wantsBodyInHeaders: true }],
  ["hops=1", {}],
  ["hops=2&app=shop", { app: "shop", hops: 2 }],
])("reads ?%s", (query, question) => {
  const unsaid = { app: "edge", isForNginx: false, wantsBodyInHeaders: false, hops: 1 };
  expect(read(query)).toEqual({ ...unsaid, ...question });
});

it.each([
  ["app=", /^The app is named/],
  ["app=Shop", /^The app is named/],
  ["app=a%0Ab", /^The app is named/],
  [`app=${"a".repeat(33)}`, /^The app is named/],
  ["mode=", /^The mode is/],
  ["mode=haproxy", /^The mode is/],
  ["body=", /^The body goes/],
  ["hops=", /^hops is/],
  ["hops=0", /^hops is/],
  ["hops=33", /^hops is/],
  ["hops=-1", /^hops is/],
  ["hops=1e1", /^hops is/],
  ["hops=10.0.0.0/8", /^hops is/],
])("refuses ?%s in words", (query, words) => {
  expect(() => read(query)).toThrow(words);
});
