import type { Client } from "./client.ts";
import { joined, keyText } from "./client-text.ts";
import { cookieOf, headerOf, type RuledRequest } from "./request.ts";
import type { Rule } from "./schema.ts";
import type { Subject } from "./subject.ts";

/** Who a request is counted as, in code: `createGuard({ clients: { name: fn } })`. Nothing: it is not counted. */
export type ClientFunction = (request: RuledRequest) => string | undefined;
export type ClientFunctions = Readonly<Record<string, ClientFunction>>;

/** Tells who a subject is counted as; nothing when the request does not say. */
export type Identify = (subject: Subject) => string | undefined;

/** How a rule tells its clients apart, ready for a key. Nothing when it needs a function that the app does not have. */
export function identifier(rule: Rule, functions: ClientFunctions): Identify | undefined {
  const identify = finder(rule.client, rule.ipv6Prefix, functions);
  // An address is short, plain and canonical as it is.
  if (!identify || rule.client === "ip") return identify;
  return (subject) => {
    const text = identify(subject);
    // Blank is as good as nothing: counters are found without the space around a client.
    return text === undefined || text.trim() === "" ? undefined : keyText(text);
  };
}

function finder(client: Client, ipv6Prefix: number, functions: ClientFunctions): Identify | undefined {
  if (typeof client === "string") return plain(client, ipv6Prefix);
  const { header, cookie, code, all } = client;
  if (header !== undefined) return ({ request }) => headerOf(request, header);
  if (cookie !== undefined) return ({ request }) => cookieOf(request, cookie);
  if (code !== undefined) return inCode(code, functions);
  const parts = all?.map((part) => finder(part, ipv6Prefix, functions)) ?? [];
  return parts.every((part) => part !== undefined) ? together(parts) : undefined;
}

function plain(client: Extract<Client, string>, ipv6Prefix: number): Identify {
  switch (client) {
    case "ip":
      return (subject) => subject.network(ipv6Prefix);
    case "user":
      return (subject) => subject.user || undefined;
    case "customer":
      return (subject) => subject.customer;
    case "path":
      return (subject) => subject.rawPath;
    case "standard":
      return (subject) => subject.standard;
    case "broad":
      return (subject) => subject.broad;
  }
}

function together(parts: readonly Identify[]): Identify {
  return (subject) => {
    const texts: string[] = [];
    for (const part of parts) {
      const text = part(subject);
      if (text === undefined || text === "") return undefined;
      texts.push(text);
    }
    return joined(texts);
  };
}

function inCode(name: string, functions: ClientFunctions): Identify | undefined {
  const identify = Object.hasOwn(functions, name) ? functions[name] : undefined;
  return (
    identify &&
    (({ request }) => {
      try {
        const text: unknown = identify(request);
        // A rejection that nobody waits for would end the process.
        if (text instanceof Promise) text.catch(() => {});
        return typeof text === "string" ? text : undefined;
      } catch {
        // The app's own code must not turn a request away; it counts as if it had said nothing.
        return undefined;
      }
    })
  );
}
