import { expect, it, vi } from "vitest";
import { problemSchema } from "../../api/problem.ts";
import { openApi } from "./openapi.ts";
import { matchPath, operations } from "./operations.ts";
import { testApi } from "./vitest.api.ts";

vi.mock("next/headers", () => ({}));
vi.mock("next/navigation", () => ({}));

const api = testApi();

const documented = Object.entries(openApi().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, said]) => ({ path, method: method.toUpperCase(), said })),
);

it("has every operation that exists, and no other", () => {
  const exist = operations.map(({ method, path }) => `${method} ${path}`);
  expect(documented.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(exist.sort());
});

it.each(documented)("$method $path is answered, and needs a token", async ({ path, method, said }) => {
  const given = path
    .replace("{address}", "203.0.113.9")
    .replace("{n}", "1")
    .replace(/\{\w+\}/g, "7");
  const found = matchPath(given)?.operations.find((one) => one.method === method);
  expect(found?.id).toBe(said.operationId);
  const reply = await api.call(method, given);
  expect(reply.status).toBe(401);
  expect(problemSchema.parse(reply.body)).toEqual(reply.body);
});

it.each(documented)("$method $path names each of its placeholders", ({ path, said }) => {
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const named = said.parameters.filter((one) => one.in === "path");
  expect(named.map(({ name }) => name)).toEqual(placeholders);
  expect(named.every(({ required }) => required)).toBe(true);
});

it("has a dry run and an idempotency key for every write, and for no read", () => {
  for (const { path, method, said } of documented) {
    const names = said.parameters.map(({ name }) => name);
    const isWrite = operations.find((one) => one.path === path && one.method === method)?.isWrite;
    const has = ["dryRun", "Idempotency-Key"].map((name) => names.includes(name));
    expect(has, `${method} ${path}`).toEqual([isWrite, isWrite]);
  }
});

it("refers only to what it has", () => {
  const text = JSON.stringify(openApi());
  const { schemas = {} } = openApi().components;
  for (const [, name = ""] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
    expect(Object.keys(schemas as object)).toContain(name);
  expect([...text.matchAll(/"\$ref":"(?!#\/components\/schemas\/)/g)]).toEqual([]);
});

it("is read without a token", async () => {
  const { status, body } = await api.call("GET", "/openapi.json");
  expect([status, body.openapi]).toEqual([200, "3.1.0"]);
});
