import { expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { testLists } from "../lists/vitest.context.ts";
import { mostLinks, readLinks } from "./links.ts";
import { removeLink, setLink } from "./set-link.ts";

const lists = testLists();
const logs = { kind: "client", name: "Logs", template: "https://logs.example.org/?q={ip}" } as const;
const set = (link: Partial<Parameters<typeof setLink>[1]> = {}) => setLink(lists.ctx(), { ...logs, ...link });
const read = () => readLinks(lists.ctx().redis);

it("adds, replaces and removes a link, each with a record that no node has to apply", async () => {
  expect(await set()).toEqual({ outcome: "added" });
  expect(await set()).toEqual({ outcome: "kept" });
  const template = "https://logs.example.org/{ip}";
  expect(await set({ template })).toEqual({ outcome: "replaced" });
  expect(await read()).toEqual([{ ...logs, template, by: "ada@example.org", at: expect.any(String) }]);
  await removeLink(lists.ctx(), logs);
  expect(await read()).toEqual([]);
  expect(await lists.records()).toMatchObject([
    { action: "link.set", change: null, changes: [{ target: "client Logs", before: null }] },
    { action: "link.set", changes: [{ after: { value: expect.stringContaining(template) } }] },
    { action: "link.remove", changes: [{ after: null }] },
  ]);
  await lists.expectSoundChain(3);
  await expect(removeLink(lists.ctx(), logs)).rejects.toMatchObject({ code: "not-found" });
});

it("refuses an unsound name or template, and records nothing", async () => {
  await expect(set({ name: "a:b" })).rejects.toMatchObject({
    code: "bad-input",
    fields: { name: expect.stringContaining("letters") },
  });
  await expect(set({ template: "http://logs.example.org/{ip}" })).rejects.toMatchObject({
    fields: { template: expect.stringContaining("https") },
  });
  expect(await lists.records()).toEqual([]);
});

it("keeps a bounded number of each kind", async () => {
  for (let i = 0; i < mostLinks; i++) await set({ name: `Logs ${i}` });
  await expect(set({ name: "one more" })).rejects.toMatchObject({ code: "bad-input" });
  expect(await set({ name: "Logs 1", template: "https://x.example/{ip}" })).toEqual({ outcome: "replaced" });
  const customers = {
    kind: "customer",
    name: "CRM",
    template: "https://crm.example.org/{customer}",
  } as const;
  expect(await set(customers)).toEqual({ outcome: "added" });
  expect((await read()).map(({ kind }) => kind)).toEqual([...Array(mostLinks).fill("client"), "customer"]);
});

it("leaves out what another program wrote wrong", async () => {
  const template = "javascript:alert('{ip}')";
  await lists.client.hset(keys.links(), {
    "client:Bad": JSON.stringify({ template }),
    "client:Text": "https://logs.example.org/{ip}",
    "other:Logs": JSON.stringify({ template: logs.template }),
    "client:<b>": JSON.stringify({ template: logs.template }),
  });
  expect(await read()).toEqual([]);
});
