import { expect, it } from "vitest";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import { withValue } from "./document.ts";
import {
  begin,
  type FormPolicy,
  isFormPolicy,
  isLocked,
  readDraft,
  standingOf,
  textOf,
  withPolicy,
  withText,
} from "./draft.ts";

const base: FormPolicy = { ...defaultPolicy };
const fresh = begin(3, base);

function put(policy: FormPolicy, path: (string | number)[], value: unknown): FormPolicy {
  const next = withValue(policy, path, value);
  if (!isFormPolicy(next)) throw new Error("the forms cannot show this");
  return next;
}

const limit = ["rules", 0, "levels", 0, "limit"];

it("is not edited at first, nor after a change is reverted", () => {
  expect(standingOf(fresh)).toMatchObject({ isEdited: false, changes: [], problems: [] });
  const edited = withPolicy(fresh, (policy) => put(policy, limit, 250));
  expect(standingOf(edited).changes).toEqual(["Rule req/ip/1, limits: 300 per 5 min → 250 per 5 min."]);
  expect(standingOf(withPolicy(edited, (policy) => put(policy, limit, 300))).isEdited).toBe(false);
});

it("names problems by their place, and is edited while it has any", () => {
  const { problems, isEdited, wished } = standingOf(withPolicy(fresh, (policy) => put(policy, limit, "x")));
  expect(problems.map(({ path }) => path)).toEqual(["rules[0].levels[0].limit"]);
  expect([isEdited, wished]).toEqual([true, undefined]);
});

it("shows changes of a form in the JSON, and changes of the JSON in the forms", () => {
  const byForm = withPolicy(fresh, (policy) => put(policy, limit, 250));
  expect(textOf(byForm)).toContain('"limit": 250');
  const byText = withText(byForm, textOf(byForm).replace('"limit": 250', '"limit":  251'));
  expect(textOf(byText)).toContain('"limit":  251');
  expect(standingOf(byText).wished?.rules[0]?.levels).toEqual([{ limit: 251, periodSeconds: 300 }]);
  expect(byText.policy.rules[0]).toMatchObject({ levels: [{ limit: 251, periodSeconds: 300 }] });
});

it("keeps text that does not parse when a form changes", () => {
  const broken = withText(fresh, '{ "mode": ');
  expect(isLocked(broken)).toBe(true);
  expect(standingOf(broken)).toMatchObject({ isEdited: true, isLocked: true, problems: [{ path: "JSON" }] });
  const after = withPolicy(broken, (policy) => put(policy, limit, 1));
  expect(textOf(after)).toBe('{ "mode": ');
  expect(after.policy).toBe(base);
});

it("keeps JSON that forms cannot show, and states why it is not a policy", () => {
  const odd = withText(fresh, '{"mode":"enforce","rules":"none","tiers":{}}');
  expect(isLocked(odd)).toBe(true);
  expect(standingOf(odd).problems).toEqual([{ path: "rules", message: "write a list of rules" }]);
});

it("finds an unknown field at the top", () => {
  const text = JSON.stringify({ ...defaultPolicy, ruels: [] });
  expect(standingOf(withText(fresh, text)).problems[0]?.path).toBe("ruels");
});

it("restores a draft with text that does not parse", () => {
  const draft = withText(begin(4, { ...defaultPolicy }), "{ half");
  expect(readDraft(JSON.stringify(draft))).toEqual(draft);
});

it("rejects stored text that is not a draft", () => {
  for (const stored of [null, "", "[]", "{}", '{"basedOn":1,"base":{},"policy":{}}'])
    expect(readDraft(stored)).toBeNull();
});
