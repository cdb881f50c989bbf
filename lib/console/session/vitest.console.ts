import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import type { NextAuthOptions } from "next-auth";

// A CommonJS module whose function is its `default`, which Node's own import would hand over twice wrapped.
const { default: NextAuth } = createRequire(import.meta.url)("next-auth");

/** next-auth with these options behind real HTTP. Next itself is not there: its requests are made of Node's. */
export async function startAuth(options: () => NextAuthOptions) {
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    const [, , , ...nextauth] = url.pathname.split("/");
    const pairs = (incoming.headers.cookie ?? "").split("; ").filter(Boolean);
    const request = Object.assign(incoming, {
      query: { ...Object.fromEntries(url.searchParams), nextauth },
      cookies: Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2).map(decodeURIComponent))),
      body: Object.fromEntries(new URLSearchParams(await text(incoming))),
    });
    const response = Object.assign(outgoing, {
      status: (code: number) => Object.assign(response, { statusCode: code }),
      json: (body: unknown) => void response.end(JSON.stringify(body)),
      send: (body: unknown) =>
        void response.end(typeof body === "string" ? body : JSON.stringify(body ?? "")),
    });
    await NextAuth(request, response, options());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A browser, as far as cookies and redirects go. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  async get(path: string): Promise<Response> {
    return this.#keep(
      await fetch(new URL(path, this.#base), { headers: this.#headers(), redirect: "manual" }),
    );
  }

  async post(path: string, fields: Record<string, string>): Promise<Response> {
    const csrfToken = (await (await this.get("/api/auth/csrf")).json()).csrfToken;
    const body = new URLSearchParams({ csrfToken, ...fields });
    const sent = { method: "POST", headers: this.#headers(), body, redirect: "manual" } as const;
    return this.#keep(await fetch(new URL(path, this.#base), sent));
  }

  signIn(email: string, password: string, more: Record<string, string> = {}): Promise<Response> {
    return this.post("/api/auth/callback/credentials", { email, password, ...more });
  }

  async session(): Promise<{ user?: { email: string; role: string } }> {
    return (await this.get("/api/auth/session")).json();
  }

  #headers(): Record<string, string> {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
  }

  #keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}
