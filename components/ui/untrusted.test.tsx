import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Untrusted } from "./untrusted.tsx";
import { cleanText } from "./untrusted-text.ts";

const gone = "\u{FFFD}";
const shown = (text: string) => cleanText(text, 200).text;

describe("shown untrusted text", () => {
  it.each([
    ["plain words, 1,204 of them", "plain words, 1,204 of them"],
    ["Ünïcödé, 日本語, שלום, عربي", "Ünïcödé, 日本語, שלום, عربي"],
    ["\u{2764}\u{FE0F} \u{1F469}", "\u{2764}\u{FE0F} \u{1F469}"],
  ])("leaves %j unchanged", (text, same) => {
    expect(shown(text)).toBe(same);
  });

  it.each([
    ["a control", "a\u{7}b"],
    ["an escape", "a\u{1B}b"],
    ["a NUL", "a\0b"],
    ["a line feed", "a\nb"],
    ["a C1 control", "a\u{85}b"],
    ["a line separator", "a\u{2028}b"],
    ["a right-to-left override", "a\u{202E}b"],
    ["a bidi isolate", "a\u{2066}b"],
    ["an Arabic letter mark", "a\u{61C}b"],
    ["a zero-width space", "a\u{200B}b"],
    ["a joiner", "a\u{200D}b"],
    ["a byte order mark", "a\u{FEFF}b"],
    ["a soft hyphen", "a\u{AD}b"],
    ["a Hangul filler", "a\u{3164}b"],
    ["a tag", "a\u{E0041}b"],
    ["half a character", "a\uD83Db"],
  ])("shows that there is %s", (_, text) => {
    expect(shown(text)).toBe(`a${gone}b`);
  });

  it("keeps combining marks out of other lines", () => {
    expect(shown(`a${"\u{301}".repeat(500)}b`)).toBe(`a${"\u{301}".repeat(4)}${gone}b`);
  });

  it("is never longer than the maximum, and hides nothing, for any input", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.integer({ min: 1, max: 300 }),
        (text, max) => {
          const clean = cleanText(text, max);
          expect(Array.from(clean.text).length).toBeLessThanOrEqual(max + 1);
          expect(clean.text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200B]/u);
          expect(clean.text).not.toMatch(/\p{Cs}/u);
        },
      ),
    );
  });
});

describe("a text that is too long", () => {
  it("is cut, and a title shows more of it", () => {
    expect(cleanText("abcdef", 6)).toEqual({ text: "abcdef", whole: undefined });
    expect(cleanText("abcdefg", 6)).toEqual({ text: "abcdef…", whole: "abcdefg" });
  });

  it("is cut between characters", () => {
    expect(cleanText("\u{1F600}\u{1F601}\u{1F602}", 2).text).toBe("\u{1F600}\u{1F601}…");
  });

  it("has a limited title, too", () => {
    const { text, whole } = cleanText("A".repeat(10_000), 120);
    expect(text).toBe(`${"A".repeat(120)}…`);
    expect(whole).toBe(`${"A".repeat(1_000)}…`);
  });
});

describe("Untrusted", () => {
  it("has its own text direction, and is only text", () => {
    const markup = renderToStaticMarkup(<Untrusted text={'<img src=x onerror="alert(1)">'} />);
    expect(markup).toMatch(/^<bdi class="[^"]*">&lt;img src=x onerror=&quot;alert\(1\)&quot;&gt;<\/bdi>$/);
  });

  it("does not break out of its title", () => {
    const markup = renderToStaticMarkup(<Untrusted text={`"><script>${"x".repeat(300)}`} max={10} />);
    expect(markup).not.toContain("<script");
    expect(markup).toMatch(/^<bdi title="&quot;&gt;&lt;script&gt;x+" class="[^"]*">[^<]*<\/bdi>$/);
  });
});
