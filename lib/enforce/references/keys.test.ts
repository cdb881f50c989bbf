import { expect, it } from "vitest";
import { parseReferenceKeys, WritingKey, writeReferenceKeys } from "./keys.ts";

const secret = "ab".repeat(32);
const keyNumberIn = async (get: () => Promise<string | null>): Promise<number | undefined> => {
  const writing = new WritingKey();
  await writing.read({ get });
  return writing.key?.number;
};

it("writes with the key that has no end", async () => {
  const all = [
    { number: 3, secret, until: null },
    { number: 2, secret, until: 1 },
  ];
  expect(parseReferenceKeys(writeReferenceKeys(all))).toEqual(all);
  expect(await keyNumberIn(async () => writeReferenceKeys(all))).toBe(3);
  expect(await keyNumberIn(async () => writeReferenceKeys(all.slice(1)))).toBeUndefined();
});

it("has no key where Redis has none, or what is none, or refuses to say", async () => {
  expect(await keyNumberIn(async () => null)).toBeUndefined();
  for (const text of [
    "",
    "[]",
    "null",
    '{"keys":[{"number":1,"secret":"short","until":null}]}',
    '{"keys":1}',
  ])
    expect(await keyNumberIn(async () => text)).toBeUndefined();
  for (const number of [0, 32, 1.5, "1"])
    expect(parseReferenceKeys(JSON.stringify({ keys: [{ number, secret, until: null }] }))).toEqual([]);
  const failing = (message: string) => async () => {
    throw new Error(message);
  };
  expect(await keyNumberIn(failing("WRONGTYPE another type"))).toBeUndefined();
  expect(await keyNumberIn(failing("NOPERM no permissions to access a key"))).toBeUndefined();
  await expect(keyNumberIn(failing("Connection is closed."))).rejects.toThrow("closed");
});
