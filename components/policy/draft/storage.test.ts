import { expect, it } from "vitest";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import { begin, withText } from "./draft.ts";
import { readDraft } from "./storage.ts";

it("restores a draft with text that does not parse", () => {
  const draft = withText(begin(4, { ...defaultPolicy }), "{ half");
  expect(readDraft(JSON.stringify(draft))).toEqual(draft);
});

it("rejects stored text that is not a draft", () => {
  for (const stored of [null, "", "[]", "{}", '{"basedOn":1,"base":{},"policy":{}}'])
    expect(readDraft(stored)).toBeNull();
});
