import fc from "fast-check";
import { expect, it } from "vitest";
import { type MemcachedReply, parseReply } from "./connection.ts";

const reply = fc.oneof(
  fc.constantFrom("STORED", "NOT_FOUND", "END", "42", "SERVER_ERROR out of memory").map((line) => ({
    text: `${line}\r\n`,
    reply: { line },
  })),
  // What is stored may look like the protocol itself.
  fc.string({ unit: fc.constantFrom("1", " ", "\r", "\n", "END", "VALUE a 0 1") }).map((data) => {
    const line = `VALUE a 0 ${data.length}`;
    return { text: `${line}\r\n${data}\r\nEND\r\n`, reply: { line, data } };
  }),
);

it("reads the same from pieces as from the whole, wherever it is cut", () => {
  fc.assert(
    fc.property(fc.array(reply, { minLength: 1 }), fc.array(fc.nat(40)), (replies, cuts) => {
      const found: MemcachedReply[] = [];
      let unread = "";
      for (const piece of cutUp(replies.map(({ text }) => text).join(""), cuts)) {
        unread += piece;
        for (let parsed = parseReply(unread, 0); parsed; parsed = parseReply(unread, 0)) {
          found.push(parsed.reply);
          unread = unread.slice(parsed.next);
        }
      }
      expect(found).toEqual(replies.map((one) => one.reply));
      expect(unread).toBe("");
    }),
  );
});

function cutUp(text: string, cuts: readonly number[]): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const size of cuts) {
    pieces.push(text.slice(from, from + size));
    from += size;
  }
  return [...pieces, text.slice(from)];
}
