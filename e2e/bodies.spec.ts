import { connect } from "node:net";
import { expect, test } from "./fixtures/console-test.ts";
import { builtActions, postAction, postRead } from "./fixtures/post-action.ts";

const tenMegabytes = 10_000_000;

interface Sending {
  readonly url: string;
  readonly path: string;
  readonly headers?: readonly string[];
  /** Whether the body follows its headers. */
  readonly isSent?: boolean;
}

/** Posts by hand: a declared length that is never sent, or a body without a length. Resolves when the console ends the connection. */
function post({
  url,
  path,
  headers = [],
  isSent = false,
}: Sending): Promise<{ status: number; taken: number }> {
  const { hostname, port, host } = new URL(url);
  const isChunked = headers.some((header) => header.startsWith("Transfer-Encoding"));
  const length = isChunked ? [] : [`Content-Length: ${tenMegabytes}`];
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write([`POST ${path} HTTP/1.1`, `Host: ${host}`, ...length, ...headers, "", ""].join("\r\n"));
      if (isSent) socket.write(Buffer.alloc(tenMegabytes));
    });
    socket.setTimeout(10_000, () => socket.destroy(new Error(`${path} was neither answered nor closed`)));
    socket.on("data", (data) => {
      answer += data;
    });
    // A console that takes no more resets what is still on its way.
    socket.on("error", (error) => (answer === "" ? reject(error) : undefined));
    socket.on("close", () =>
      resolve({ status: Number(answer.split(" ")[1]), taken: socket.bytesWritten - socket.writableLength }),
    );
  });
}

test("long bodies of anyone are refused before they have come, and the connection ends", async ({
  sluice,
}) => {
  const { url } = sluice;
  for (const path of ["/", "/signin", "/welcome/x", "/api/look-up", "/api/auth/callback/credentials"]) {
    expect([path, (await post({ url, path })).status]).toEqual([path, 413]);
    const chunked = { url, path, headers: ["Transfer-Encoding: chunked"] };
    expect([path, (await post(chunked)).status]).toEqual([path, 413]);
  }
  const forged = { url, path: "/", headers: ["Cookie: sluice.session=forged", "Next-Action: x"] };
  expect((await post(forged)).status).toBe(413);
});

test("two hundred long bodies at once are refused, and the console goes on", async ({ sluice }) => {
  const { url } = sluice;
  const posts = Array.from({ length: 200 }, () =>
    post({ url, path: "/signin", isSent: true }).catch(() => undefined),
  );
  const answers = (await Promise.all(posts)).filter((answer) => answer !== undefined);
  expect(answers.length).toBeGreaterThan(0);
  for (const { status } of answers) expect(status).toBe(413);
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
});

test("a user's own long input is read, and no more than a megabyte of it", async ({ signedIn, sluice }) => {
  const page = await signedIn("staff");
  const id = builtActions().get("lists:importText") ?? "";
  const lines = (characters: number) => ({
    ...{ ttlMs: 3_600_000, reason: "", confirmed: [] },
    text: `203.0.113.9\n# ${"x".repeat(characters)}`,
  });
  const preview = (characters: number) =>
    postRead(page.request, { url: `${sluice.url}/api/lists/blocklist/preview`, input: lines(characters) });
  const write = (characters: number) =>
    postAction(page.request, {
      ...{ id, url: sluice.url },
      input: { ...lines(characters), list: "blocklist", expected: ["203.0.113.9"] },
    });
  for (const post of [preview, write]) {
    expect(await post(900_000)).toMatchObject({ status: 200, result: { ok: true } });
    expect((await post(1_060_000)).result?.ok).not.toBe(true);
    expect((await post(1_200_000)).status).toBe(413);
  }
  await sluice.redis.client.del("blocklist:203.0.113.9");
});
