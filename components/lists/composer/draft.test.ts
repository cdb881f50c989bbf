import { describe, expect, it } from "vitest";
import { emptyDraft, readDraft, writeDraft } from "./draft.ts";

describe("a draft", () => {
  it("is restored unchanged", () => {
    const draft = {
      text: "203.0.113.9\n198.51.100.0/24\n",
      reason: 'Scraping, "40 req/s"',
      tags: "scraper asn:64500",
      expiry: { preset: "custom", amount: "36", unit: "h" },
    } as const;
    expect(readDraft(writeDraft(draft))).toEqual(draft);
  });

  it.each([null, "", "{", "null", "[]", '{"text":5,"preset":"1y","unit":"y"}'])(
    "is empty when %s was stored",
    (kept) => {
      expect(readDraft(kept)).toEqual(emptyDraft);
    },
  );
});
