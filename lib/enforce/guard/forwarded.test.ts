import { expect, it } from "vitest";
import { parseTrust } from "../../ip/client-address.ts";
import { forwardedClient, forwardedRequest } from "./forwarded.ts";

const trustOf = (setting?: number | string) => {
  const trust = parseTrust(setting);
  if (!trust.ok) throw new Error(trust.reason);
  return trust.value;
};

it.each([
  ["the entry that the asking proxy wrote", "203.0.113.9", undefined, "203.0.113.9"],
  ["nothing of what the client wrote itself", "198.51.100.1, 203.0.113.9", undefined, "203.0.113.9"],
  ["the client behind the console's trusted proxies", "203.0.113.9, 10.0.0.7", "10.0.0.0/8", "203.0.113.9"],
  ["the client's own claim no further", "1.1.1.1, 203.0.113.9, 10.0.0.7", "10.0.0.0/8", "203.0.113.9"],
  ["one hop, where the console counts two", "198.51.100.1, 203.0.113.9", 2, "203.0.113.9"],
  ["an address with its port", "[2001:db8::1]:4711", undefined, "2001:db8::1"],
  ["no client, without the header", null, undefined, undefined],
  ["no client, by an empty header", "", undefined, undefined],
  ["no client, by a word", "unknown", undefined, undefined],
  ["no client, by a word beside an address", "203.0.113.9, unknown", undefined, undefined],
  ["no client, by the unspecified address", "::", undefined, undefined],
])("takes for the client: %s", (_, header, trusted, client) => {
  expect(forwardedClient(header, trustOf(trusted))).toBe(client);
});

it("takes as many hops for trusted as the question names", () => {
  const header = "198.51.100.1, 203.0.113.9, 10.0.0.7";
  expect(forwardedClient(header, trustOf(), 2)).toBe("203.0.113.9");
  expect(forwardedClient(header, trustOf(1), 2)).toBe("203.0.113.9");
  expect(forwardedClient(header, trustOf("10.0.0.0/8"), 1)).toBe("203.0.113.9");
});

it("keeps the target as it was sent, for the edge", () => {
  const target = "https://shop.example/a//b/../c|d?q=1";
  expect(forwardedRequest(new Headers({ "x-forwarded-uri": target }), "forwarded")).toMatchObject({
    ...{ path: "/a//c|d", target: "/a//b/../c|d?q=1" },
  });
});

const nginx = { "x-original-uri": "/a", "x-original-method": "PUT", "x-original-host": "shop.example" };
const traefik = { "x-forwarded-uri": "/b", "x-forwarded-method": "POST", "x-forwarded-host": "cafe.example" };
const ofNginx = { path: "/a", method: "PUT", host: "shop.example" };
const ofTraefik = { path: "/b", method: "POST", host: "cafe.example" };

it.each([
  ["original", nginx, ofNginx],
  ["original", traefik, ofTraefik],
  ["original", { ...nginx, ...traefik }, ofNginx],
  ["forwarded", nginx, ofNginx],
  ["forwarded", traefik, ofTraefik],
  ["forwarded", { ...nginx, ...traefik }, ofTraefik],
] as const)(
  "reads the form that is there, and the expected one if both are: %s %j",
  (form, headers, expected) => {
    expect(forwardedRequest(new Headers(headers), form)).toMatchObject(expected);
  },
);

it("never completes one form from the other", () => {
  const headers = new Headers({ ...traefik, "x-original-uri": "/a", host: "shop.example" });
  expect(forwardedRequest(headers, "original")).toMatchObject({
    path: "/a",
    method: "GET",
    host: "shop.example",
  });
});

it("knows no path if the proxy tells none", () => {
  const request = forwardedRequest(new Headers({ host: "shop.example" }), "forwarded");
  expect(request).not.toHaveProperty("path");
  expect(request).toMatchObject({ method: "GET", host: "shop.example" });
});

it.each([
  ["/cart?next=/static/x", "/cart"],
  ["/cart#top", "/cart"],
  ["/static/../login", "/login"],
  ["/static/%2e%2e/login", "/login"],
  ["//evil.example/cart", "//evil.example/cart"],
  ["/a b", "/a%20b"],
  ["http://shop.example/cart?id=1", "/cart"],
  ["http://shop.example?id=1", "/"],
  ["*", "/"],
  ["", "/"],
  ["/http://x/", "/http://x/"],
])("of %j takes the path %j", (uri, path) => {
  expect(forwardedRequest(new Headers({ "x-original-uri": uri }), "original").path).toBe(path);
});
