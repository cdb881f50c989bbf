import { expect, it } from "vitest";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { findModeSince } from "./mode.ts";

const log = testLog();
const by = (name: string) => log.signed({ name });
const since = async () => {
  const { redis } = log.signed();
  return findModeSince(redis, await readPolicy(redis));
};

it("finds the version that switched the mode, however often the rules were changed since", async () => {
  await setMode(by("ada@example.org"), { mode: "off", reason: "attack" });
  await setMode(by("ben@example.org"), { mode: "shadow", reason: "customers suffer" });
  for (const basedOn of [2, 3]) {
    const policy = { ...defaultPolicy, mode: "shadow", rules: defaultPolicy.rules.slice(0, basedOn - 1) };
    await setPolicy(by("cy@example.org"), { policy, basedOn, reason: "rules" });
  }
  expect(await since()).toMatchObject({ version: 2, by: "ben@example.org", reason: "customers suffer" });
});

it("goes back as far as versions are kept", async () => {
  await setMode(by("ada@example.org"), { mode: "off", reason: "attack" });
  await setMode(by("ben@example.org"), { mode: "shadow", reason: "calmer" });
  const policy = { ...defaultPolicy, mode: "shadow", rules: [] };
  await setPolicy(by("cy@example.org"), { policy, basedOn: 2, reason: "rules" });
  await log.client.hdel("sluice:policy:versions", "2");
  expect(await since()).toMatchObject({ version: 3, by: "cy@example.org" });
});

it("takes the first save for the beginning", async () => {
  await setMode(by("ada@example.org"), { mode: "off", reason: "attack" });
  expect(await since()).toMatchObject({ version: 1, by: "ada@example.org" });
});
