import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip.tsx";
import type { LimitOfCode } from "@/lib/queries/policy.ts";
import { LimitRow } from "./limits-card.tsx";

const plain: LimitOfCode = {
  ...{ field: "shop/export", app: "shop", name: "export", isDifferent: false },
  code: { by: "customer", says: "10 per 1 min", mode: "enforce" },
  inForce: { says: "10 per 1 min", mode: "enforce", levels: [{ limit: 10, periodSeconds: 60 }] },
  ...{ checked: 1_200, denied: 3, shadowed: 0 },
};

const textOf = (limit: LimitOfCode, onChange?: () => void) =>
  renderToStaticMarkup(
    <TooltipProvider>
      <table>
        <tbody>
          <LimitRow limit={limit} onChange={onChange} />
        </tbody>
      </table>
    </TooltipProvider>,
  ).replaceAll(/<[^>]+>/g, " ");

it("shows the app, what is in force and its counts; only who may change it has a button", () => {
  expect(textOf(plain)).toMatch(
    /export +From code, app +shop .*customer .*10 per 1 min .*1,200 .*3 .*Enforce/,
  );
  expect(textOf(plain)).not.toContain("Change");
  expect(textOf(plain)).not.toContain("In code");
  expect(textOf(plain, () => {})).toContain("Change");
});

it("shows where the code differs from what is published, and what is not in force", () => {
  const published = { says: "5 per 1 min", mode: "shadow", by: "ada@example.org", at: "", reason: "" };
  const inForce = { says: "5 per 1 min", mode: "shadow", levels: [] };
  const text = textOf({ ...plain, published, inForce, isDifferent: true });
  expect(text).toMatch(
    /5 per 1 min .*In code: 10 per 1 min, enforce .*Published by +ada@example.org .*Shadow/,
  );
  expect(textOf({ ...plain, published, problem: "levels: too many" })).toContain(
    "What is published is not in force: levels: too many.",
  );
  const { code: _, inForce: __, ...gone } = plain;
  expect(textOf({ ...gone, published })).toContain("No node has reported it for a week");
});
