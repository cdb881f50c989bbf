import { expect, it } from "vitest";
import { handOver } from "./hand-over.ts";

const at = "https://sluice.example.org";
const redirect = (location: string) =>
  new Response(null, {
    status: 302,
    headers: [
      ["location", location],
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ],
  });

it("makes ways within the console paths", () => {
  const { status, headers } = handOver(redirect(`${at}/signin?error=x#y`), at);
  expect([status, headers.get("location")]).toEqual([302, "/signin?error=x#y"]);
  expect(handOver(redirect("/signin"), at).headers.get("location")).toBe("/signin");
  expect(handOver(redirect("http://localhost:3000/x"), undefined).headers.get("location")).toBe("/x");
});

it("leads out of it by a page, with its cookies, and with nothing in it that could be taken for markup", async () => {
  const answer = handOver(redirect(`https://id.example.com/authorize?a=1&b="><script>`), at);
  expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  const page = await answer.text();
  expect(page).toContain('content="0;url=https://id.example.com/authorize?a=1&amp;b=%22%3E%3Cscript%3E"');
  expect(page).not.toContain("<script>");
});

it("leaves alone what is no redirect", async () => {
  const answer = new Response("{}");
  expect(handOver(answer, at)).toBe(answer);
});
