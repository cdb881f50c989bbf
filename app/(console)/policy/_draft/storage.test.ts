import { expect, it } from "vitest";
import { defaultPolicy } from "../../../../lib/policy/defaults.ts";
import { begin, withText } from "./draft.ts";
import { readDraft } from "./storage.ts";

it("brings back a draft with text that does not parse", () => {
  const draft = withText(begin(4, { ...defaultPolicy }), "{ half");
  expect(readDraft(JSON.stringify(draft))).toEqual(draft);
});

it("takes nothing for a draft that is none", () => {
  for (const stored of [null, "", "[]", "{}", '{"basedOn":1,"base":{},"policy":{}}'])
    expect(readDraft(stored)).toBeNull();
});
