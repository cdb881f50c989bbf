import fc from "fast-check";
import { Command } from "ioredis";
import { expect, it } from "vitest";
import { LongCommand } from "./long-command.ts";

const socket = {};
const connection = { options: {} };
const words = fc.array(
  fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.string({ minLength: 250, maxLength: 300 })),
);

it("writes what ioredis writes, whatever the words", () => {
  fc.assert(
    fc.property(words, (some) => {
      expect(String(new LongCommand(connection, "evalsha", some).toWritable(socket))).toBe(
        String(new Command("evalsha", some).toWritable(socket)),
      );
    }),
  );
});

it("is one text, and counts bytes where a letter takes several", () => {
  const plain = new LongCommand(connection, "evalsha", ["rack::attack:1:req/ip:192.0.2.1", ""]).toWritable(
    socket,
  );
  expect(plain).toBe("*3\r\n$7\r\nevalsha\r\n$31\r\nrack::attack:1:req/ip:192.0.2.1\r\n$0\r\n\r\n");
  expect(new LongCommand(connection, "get", ["naïve"]).toWritable(socket)).toContain("$6\r\nnaïve\r\n");
});

it("puts the prefix of a connection before keys", () => {
  const prefixed = { options: { keyPrefix: "shop:" } };
  const command = new LongCommand(prefixed, "evalsha", ["0".repeat(40), "1", "stock", "stock"]);
  expect(command.args).toEqual(["0".repeat(40), "1", "shop:stock", "stock"]);
});
