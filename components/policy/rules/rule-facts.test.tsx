import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip.tsx";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import { begin, standingOf } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { RuleDenied, RuleExempt, RuleOver, RuleOverLine, RuleShadowed } from "./rule-facts.tsx";

const draft = begin(0, { ...defaultPolicy });
const editor: PolicyEditor = {
  now: {
    ...{ version: 0, reason: "", policy: { ...defaultPolicy }, versions: [], ends: [], nodes: 4, limits: [] },
    lastHour: [
      { rule: "req/ip/2", denied: 5, shadowed: 0, exempt: 0, over: 1_234 },
      { rule: "req/customer", denied: 5, shadowed: 0, exempt: 0, over: 0 },
    ],
  },
  ...{
    draft,
    standing: standingOf(draft),
    isOvertaken: false,
    nextVersion: 1,
    mayChange: true,
    mayEdit: true,
  },
  edit: () => {},
  type: () => {},
  discard: () => {},
  rebase: () => {
    throw new Error("no rule in the draft");
  },
  read: async () => undefined,
};
const [first = {}, second = {}, ofCustomers = {}] = draft.policy.rules;

const textOf = (element: React.ReactNode) =>
  renderToStaticMarkup(<TooltipProvider>{element}</TooltipProvider>).replaceAll(/<[^>]+>/g, "");

it("shows requests passed over the limit, 0 for a rule with slack, and a dash for an exact rule", () => {
  const cell = (rule: typeof first) => textOf(<RuleOver editor={editor} rule={rule} />);
  expect([first, second, ofCustomers].map(cell)).toEqual(["0", "1,234", "–"]);
  // An earlier version of the rule had slack.
  expect(cell({ ...second, slack: undefined })).toBe("1,234");
});

it("shows the slack in numbers on a phone, and leaves out exact rules", () => {
  const line = (rule: typeof first) => textOf(<RuleOverLine editor={editor} rule={rule} />);
  expect([first, second, ofCustomers].map(line)).toEqual([
    "Over the limit in the last hour: 0. Slack 10%: up to 28 of 300 more, with 4 nodes.",
    "Over the limit in the last hour: 1,234. Slack 10%: up to 60 of 600 more, with 4 nodes.",
    "",
  ]);
  expect(line({ ...second, slack: 2 })).toBe("Over the limit in the last hour: 1,234.");
});

it("shows what an exempt rule matched, and a dash for denials that it cannot make", () => {
  const cells = (action: string, mode: string) => {
    const rule = { name: "health", action, mode, match: { only: ["/health"] } };
    const lastHour = [
      { rule: "health", denied: 0, shadowed: 0, exempt: action === "exempt" ? 7 : 0, over: 0 },
    ];
    const base = { ...draft.base, requestRules: [rule] };
    const other = { ...editor, now: { ...editor.now, lastHour }, draft: { ...draft, base } };
    return [RuleDenied, RuleShadowed, RuleExempt].map((Fact) => textOf(<Fact editor={other} rule={rule} />));
  };
  expect(cells("exempt", "enforce")).toEqual(["–", "–", "7"]);
  expect(cells("exempt", "shadow")).toEqual(["–", "–", "7"]);
  expect(cells("deny", "enforce")).toEqual(["0", "–", "–"]);
  expect(cells("deny", "shadow")).toEqual(["–", "0", "–"]);
});

it("never adds what shadow would have denied to what was denied, and shows a dash where a rule could do neither", () => {
  const cells = (rule: typeof first, mode: string) => {
    const base = { ...draft.base, rules: [{ ...rule, mode }] };
    const other = { ...editor, draft: { ...draft, base } };
    return [
      textOf(<RuleDenied editor={other} rule={rule} />),
      textOf(<RuleShadowed editor={other} rule={rule} />),
    ];
  };
  expect(cells(first, "enforce")).toEqual(["0", "–"]);
  expect(cells(first, "shadow")).toEqual(["–", "0"]);
  expect(cells(first, "off")).toEqual(["–", "–"]);
  // It was enforced until lately.
  expect(cells(second, "shadow")).toEqual(["5", "0"]);
});
