import { expect, it } from "vitest";
import { readQuestion } from "./question.ts";

const read = (query: string) => readQuestion(new URLSearchParams(query));

it.each([
  ["", { app: "edge", isForNginx: false }],
  ["app=shop", { app: "shop", isForNginx: false }],
  ["mode=nginx&app=shop-2", { app: "shop-2", isForNginx: true }],
])("reads ?%s", (query, question) => {
  expect(read(query)).toEqual(question);
});

it.each([
  ["app=", /^The app is named/],
  ["app=Shop", /^The app is named/],
  ["app=a%0Ab", /^The app is named/],
  [`app=${"a".repeat(33)}`, /^The app is named/],
  ["mode=", /^The mode is/],
  ["mode=haproxy", /^The mode is/],
])("refuses ?%s in words", (query, words) => {
  expect(() => read(query)).toThrow(words);
});
