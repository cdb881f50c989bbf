import { expect, it } from "vitest";
import { groupClients } from "./offender-groups.ts";
import {
  asOf,
  choicesOf,
  type OffenderView,
  plainView,
  readOffenderView,
  shownClients,
  withSort,
  writeOffenderView,
} from "./offender-view.ts";
import { commonRange, rangeAround } from "./ranges.ts";
import { readViews, withView } from "./saved-views.ts";
import { counter, estimate, offenderOf } from "./vitest.offender.ts";

const hosting = { asn: 64_500, asName: "Example Hosting", country: "DE" };
const vpn = { asn: 64_507, asName: null, country: "SE" };
const entry = { list: "blocklist", address: "192.0.2.64/29", reason: "" } as const;

const clients = [
  offenderOf("203.0.113.77", { deniedPerSecond: 642, network: hosting, tool: "sqlmap", paths: ["/login"] }),
  offenderOf("203.0.113.9", { deniedPerSecond: 301, network: hosting, tool: "sqlmap", customers: ["acme"] }),
  offenderOf("192.0.2.66", {
    deniedPerSecond: 171,
    network: vpn,
    listed: entry,
    counter: null,
    clearsMs: null,
  }),
  offenderOf("2001:db8:42:1::/64", { deniedPerSecond: 0, customers: null, estimate: estimate() }),
  offenderOf("joe", { kind: "rule", counter: counter({ used: 900 }), requestsPerSecond: 50 }),
];

const shown = (wish: Partial<OffenderView>) =>
  shownClients(clients, { ...plainView, ...wish }).map(({ client }) => client);
const all = clients.map(({ client }) => client);

it("keeps the worst first, and sorts by each column", () => {
  expect(shown({})).toEqual(all);
  expect(shown({ dir: "asc" })[0]).toBe("2001:db8:42:1::/64");
  expect(shown({ sort: "requests" })[0]).toBe("joe");
  expect(shown({ sort: "ratio" })).toEqual(["joe", "203.0.113.77", "203.0.113.9", all[3], "192.0.2.66"]);
  expect(shown({ sort: "estimate" })[0]).toBe("2001:db8:42:1::/64");
  expect(shown({ sort: "clears" }).at(-1)).toBe("192.0.2.66");
  // By number, not by letter.
  expect(shown({ sort: "client", dir: "asc" })).toEqual([
    ...["192.0.2.66", "203.0.113.9", "203.0.113.77", "2001:db8:42:1::/64", "joe"],
  ]);
});

it("filters by tool, path, network, customers and block", () => {
  expect(shown({ tool: "sqlmap" })).toEqual(["203.0.113.77", "203.0.113.9"]);
  expect(shown({ path: "/log" })).toEqual(["203.0.113.77"]);
  expect(shown({ network: "AS64500" })).toEqual(["203.0.113.77", "203.0.113.9"]);
  expect(shown({ network: "SE" })).toEqual(["192.0.2.66"]);
  expect(shown({ network: "203.0.113.64/27" })).toEqual(["203.0.113.77"]);
  expect(shown({ network: "2001:db8:42::/48" })).toEqual(["2001:db8:42:1::/64"]);
  // An unknown customer is not claimed to be one.
  expect(shown({ isCustomers: true })).toEqual(["203.0.113.9"]);
  expect(shown({ isUnblocked: true })).toEqual(all.filter((client) => client !== "192.0.2.66"));
  expect(shown({ isUnblocked: true, tool: "sqlmap", isCustomers: true })).toEqual(["203.0.113.9"]);
  expect(choicesOf(clients, asOf)).toEqual([
    { value: "AS64500", text: "AS64500 Example Hosting", count: 2 },
    { value: "AS64507", text: "AS64507", count: 1 },
  ]);
});

it("keeps the view in the URL, and ignores invalid values", () => {
  const view: OffenderView = {
    ...{ group: "range", sort: "client", dir: "desc", tool: "sqlmap", path: "/a&b", network: "AS64500" },
    ...{ isCustomers: true, isUnblocked: true },
  };
  const others = new URLSearchParams("app=shop&group=tool");
  const text = writeOffenderView(view, others);
  expect(readOffenderView(new URLSearchParams(text))).toEqual(view);
  expect(new URLSearchParams(text).get("app")).toBe("shop");
  expect(writeOffenderView(plainView, new URLSearchParams())).toBe("");
  const typed = "group=x&sort=x&dir=x&tool=&network=javascript:alert(1)&customers=1&blocked=yes";
  expect(readOffenderView(new URLSearchParams(typed))).toEqual(plainView);
  expect(withSort(plainView, "denied")).toMatchObject({ sort: "denied", dir: "asc" });
  expect(withSort(plainView, "client")).toMatchObject({ sort: "client", dir: "asc" });
});

it("groups by network, country, range and tool with the sums, the worst first", () => {
  const by = (group: Parameters<typeof groupClients>[1]) =>
    groupClients(clients, group, plainView).map(({ name, clients, deniedPerSecond }) => [
      ...[name, clients.length, deniedPerSecond],
    ]);
  expect(by("as")).toEqual([
    ["AS64500 Example Hosting", 2, 943],
    ["AS64507", 1, 171],
    ["unknown network", 2, 3],
  ]);
  expect(by("country").map(([name]) => name)).toEqual(["DE", "SE", "unknown country"]);
  expect(by("range").map(([name]) => name)).toEqual([
    ...["203.0.113.0/24", "192.0.2.0/24", "no address", "2001:db8:42::/48"],
  ]);
  expect(by("tool")).toEqual([
    ["sqlmap", 2, 943],
    ["no known tool", 3, 174],
  ]);
  const [first] = groupClients(clients, "range", plainView);
  expect(first).toMatchObject({ range: "203.0.113.0/24", filter: { network: "203.0.113.0/24" } });
  expect(first).toMatchObject({ customers: ["acme"], hasUnknownCustomers: false, blocked: 0 });
  expect(groupClients(clients, "as", { sort: "requests", dir: "desc" })[0]?.name).toBe("unknown network");
});

it("finds the smallest common range, if one owner may have it", () => {
  expect(commonRange(["203.0.113.64", "203.0.113.77", "203.0.113.81"])).toBe("203.0.113.64/27");
  expect(commonRange(["203.0.113.4", "203.0.113.5"])).toBe("203.0.113.4/31");
  expect(commonRange(["203.0.113.1", "203.0.113.254"])).toBe("203.0.113.0/24");
  expect(commonRange(["203.0.113.1", "203.0.112.1"])).toBeUndefined();
  expect(commonRange(["2001:db8:42:1::/64", "2001:db8:42:2::/64"])).toBe("2001:db8:42::/62");
  expect(commonRange(["2001:db8:42::/64", "2001:db8:43::/64"])).toBeUndefined();
  expect(commonRange(["203.0.113.1", "2001:db8::/64"])).toBeUndefined();
  expect(commonRange(["203.0.113.1", "joe"])).toBeUndefined();
  expect([commonRange(["203.0.113.1"]), commonRange([])]).toEqual([undefined, undefined]);
  expect(commonRange(["203.0.113.1", "203.0.113.1"])).toBeUndefined();
  expect(["203.0.113.9", "2001:db8:42:7::/64", "203.0.0.0/16", "joe"].map(rangeAround)).toEqual([
    ...["203.0.113.0/24", "2001:db8:42::/48", undefined, undefined],
  ]);
});

it("keeps saved views by name, and survives what another version has stored", () => {
  const view = (name: string) => ({ name, search: "?tool=sqlmap" });
  expect(withView([view("a"), view("b")], view("b"))).toEqual([view("b"), view("a")]);
  const many = Array.from({ length: 20 }, (_, i) => view(`v${i}`));
  expect(withView(many, view("new"))).toHaveLength(20);
  expect(readViews(JSON.stringify([view("a")]))).toEqual([view("a")]);
  for (const text of [null, "", "{", "[1]", '[{"name":""}]']) expect(readViews(text)).toEqual([]);
});
