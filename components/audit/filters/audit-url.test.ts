import { describe, expect, it } from "vitest";
import { everything, filterAt, filterCount, firstCursor, readAuditUrl, writeAuditUrl } from "./audit-url.ts";

const read = (text: string) => readAuditUrl(new URLSearchParams(text));
const now = Date.parse("2026-03-21T12:00:00Z");

describe("the address of the page", () => {
  it("is empty when nothing is looked for", () => {
    expect(writeAuditUrl(everything)).toBe("");
    expect(read("")).toEqual(everything);
    expect(filterAt(everything, now)).toEqual({});
  });

  it("says what is looked for, and reads it again", () => {
    const url = { ...everything, target: "203.0.113.0/24", action: "blocklist", period: "24h" as const };
    expect(writeAuditUrl(url)).toBe("?target=203.0.113.0%2F24&action=blocklist&period=24h");
    expect(read(writeAuditUrl(url).slice(1))).toEqual(url);
    expect(filterCount(url)).toBe(3);
    expect(filterAt(url, now)).toEqual({
      target: "203.0.113.0/24",
      action: "blocklist",
      from: "2026-03-20T12:00:00.000Z",
    });
  });

  it("begins with one record, which is no filter", () => {
    const url = { ...everything, record: "41" };
    expect(writeAuditUrl(url)).toBe("?record=41");
    expect(read("record=41")).toEqual(url);
    expect([filterCount(url), firstCursor(url), firstCursor(everything)]).toEqual([0, "42-0", undefined]);
    expect([read("record=0x1").record, read("record=-1").record, read("record=0").record]).toEqual([
      "",
      "",
      "",
    ]);
  });

  it("takes whole days, the last one to its end, and leaves out what is none", () => {
    const days = read("period=days&from=2026-03-01&to=2026-03-05");
    expect(filterAt(days, now)).toEqual({
      from: "2026-03-01T00:00:00.000Z",
      to: "2026-03-05T23:59:59.999Z",
    });
    expect(filterAt(read("period=days&from=2026-13-01&to=x"), now)).toEqual({});
    expect(read("period=24h&from=2026-03-01")).toMatchObject({ from: "" });
  });

  it("is cut to what can be looked for", () => {
    expect(read(`text=${"x".repeat(900)}&period=never`)).toMatchObject({
      period: "all",
      text: "x".repeat(200),
    });
    expect(filterCount(read("actor=+"))).toBe(0);
  });
});
