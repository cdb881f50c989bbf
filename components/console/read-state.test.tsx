import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { RenderedAt } from "@/components/ui/now.ts";
import { type LiveRead, ReadState, staleText } from "./read-state.tsx";

const now = Date.UTC(2026, 2, 28, 14, 31, 2);

interface Answer {
  readonly rows: readonly string[];
  readonly isKnown?: boolean;
}

/** Text of the page, without markup. */
function sayOf(read: Partial<LiveRead<Answer>>): string {
  const whole = {
    ...{ data: undefined, error: null, isPlaceholderData: false },
    ...{ dataUpdatedAt: now, refetch: () => {} },
    ...read,
  };
  const html = renderToStaticMarkup(
    <RenderedAt value={now}>
      <ReadState
        read={whole}
        name="the rows"
        skeleton={<p>SKELETON</p>}
        unknown={({ rows, isKnown = true }) => (rows.length === 0 && !isKnown ? <p>UNKNOWN</p> : undefined)}
        empty={({ rows }) => (rows.length === 0 ? <p>NONE</p> : undefined)}
      >
        {({ rows }) => <p>{rows.join()}</p>}
      </ReadState>
    </RenderedAt>,
  );
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const error = new Error("Redis does not answer.");
const some = { rows: ["a", "b"] };
const none = { rows: [] };
const old = now - 8_000;

describe("a live read", () => {
  it.each([
    ["loading", {}, "Loading the rows SKELETON"],
    ["loaded", { data: some }, "a,b"],
    ["empty", { data: none }, "NONE"],
    ["unknown", { data: { ...none, isKnown: false } }, "UNKNOWN"],
    ["rows of another search", { data: some, isPlaceholderData: true }, "a,b"],
    ["failed once, just now", { data: none, error, dataUpdatedAt: now - 1_000 }, "NONE"],
  ])("%s", (_state, read, says) => {
    expect(sayOf(read)).toBe(says);
  });

  it("shows the cause of a failure, and what to do", () => {
    expect(sayOf({ error })).toMatch(/^Failed to load the rows Redis does not answer\..* Retry$/);
  });

  it("keeps stale rows, with their age", () => {
    const said = sayOf({ data: some, error, dataUpdatedAt: old });
    expect(said).toMatch(/^Stale: last updated 14:30:54 UTC \(8 s ago\) Redis does not answer\. Retry a,b$/);
  });

  it("claims no absence over a stale answer without rows", () => {
    const said = sayOf({ data: none, error, dataUpdatedAt: old });
    expect(said).toMatch(/^Failed to load the rows .* Stale: last updated 14:30:54 UTC/);
    expect(said).not.toContain("NONE");
  });

  it("does not repeat what was unknown in a stale answer", () => {
    const said = sayOf({ data: { ...none, isKnown: false }, error, dataUpdatedAt: old });
    expect(said).toMatch(/^Failed to load the rows .* Stale: last updated 14:30:54 UTC/);
    expect(said).not.toContain("UNKNOWN");
  });

  it("claims no absence over the answer to another search", () => {
    expect(sayOf({ data: none, isPlaceholderData: true })).toBe("Loading the rows SKELETON");
    const failed = sayOf({ data: none, isPlaceholderData: true, error, dataUpdatedAt: 0 });
    expect(failed).toMatch(/^Failed to load the rows/);
    expect(failed).not.toContain("Stale");
  });
});

it("states since when data is stale, and its age", () => {
  expect(staleText(now, now + 8_400)).toBe("Stale: last updated 14:31:02 UTC (8 s ago)");
  expect(staleText(now, now - 300)).toBe("Stale: last updated 14:31:02 UTC (1 s ago)");
});
