import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  trace,
} from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PolicyInput } from "../policy/schema.ts";
import { createTestGuard } from "./test-guard.ts";

/** As OpenTelemetry's own for Node. */
class Contexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active = () => this.#storage.getStore() ?? ROOT_CONTEXT;
  enable = () => this;
  disable = () => this;
  bind = <T>(_: Context, target: T) => target;
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    work: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => work.call(self, ...args));
  }
}

const levels = [{ limit: 1, periodSeconds: 60 }];
const rules: PolicyInput["rules"] = [{ name: "req/ip", client: "ip", algorithm: "fixed", levels }];
const ip = "203.0.113.9";

/** A span that keeps its attributes. The guard calls nothing else of it. */
function recorded(): { readonly span: Span; readonly attributes: Map<string, unknown> } {
  const attributes = new Map<string, unknown>();
  const span = { setAttribute: (name: string, value: unknown) => attributes.set(name, value) };
  return { span: span as unknown as Span, attributes };
}

const within = <T>(span: Span, work: () => T) => context.with(trace.setSpan(context.active(), span), work);

describe("with OpenTelemetry", () => {
  beforeEach(() => {
    context.setGlobalContextManager(new Contexts());
  });
  afterEach(() => context.disable());

  it("the active span gets outcome, rule and wait", async () => {
    const guard = createTestGuard({ policy: { mode: "enforce", rules, tiers: {} } });
    const [first, second] = [recorded(), recorded()];
    await within(first.span, () => guard.check({ ip }));
    await within(second.span, () => guard.check({ ip }));
    expect(Object.fromEntries(first.attributes)).toEqual({
      ...{ "sluice.outcome": "pass", "sluice.wait_ms": expect.any(Number) },
    });
    expect(Object.fromEntries(second.attributes)).toEqual({
      ...{ "sluice.outcome": "throttled", "sluice.rule": "req/ip", "sluice.wait_ms": expect.any(Number) },
    });
  });

  it("a request without a span, or with a broken one, has its verdict", async () => {
    const guard = createTestGuard({ policy: { mode: "enforce", rules, tiers: {} } });
    expect((await guard.check({ ip })).outcome).toBe("pass");
    const { span } = recorded();
    span.setAttribute = () => {
      throw new Error("a broken span");
    };
    expect((await within(span, () => guard.check({ ip }))).outcome).toBe("throttled");
  });
});

it("without it, spans get nothing", async () => {
  const { span, attributes } = recorded();
  await within(span, () => createTestGuard({ policy: { mode: "enforce", rules, tiers: {} } }).check({ ip }));
  expect(attributes.size).toBe(0);
});
