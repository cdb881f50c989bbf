import { expect, it } from "vitest";
import { returnPath } from "./return-path.ts";

const origin = "https://sluice.example.org";
const back = (asked: string | undefined) => returnPath(asked, origin);

it("goes back to a page of the console, with what it was asked for", () => {
  expect(back("/blocklist?q=203.0.113.9#row")).toBe("/blocklist?q=203.0.113.9#row");
  expect(back(`${origin}/clients/2001:db8::1`)).toBe("/clients/2001:db8::1");
  expect(back("/signing")).toBe("/signing");
  expect(back("blocklist")).toBe("/blocklist");
});

it("leads nowhere else, however it is spelled", () => {
  const foreign = [
    ...["https://example.com", "//example.com", "/\\example.com", "\\\\example.com", "/\t/example.com"],
    ...["/.//example.com", "https://sluice.example.org@example.com", "///example.com"],
    ...[
      "javascript:alert(1)",
      "data:text/html,x",
      "http://sluice.example.org/",
      "https://sluice.example.org.example.com",
    ],
  ];
  for (const asked of foreign) expect([asked, back(asked)]).toEqual([asked, "/"]);
});

it("does not go round in circles", () => {
  for (const asked of [
    "",
    undefined,
    "/signin",
    "/signin?to=/",
    "/api/auth/signout",
    "/welcome/word",
    "http://",
  ])
    expect([asked, back(asked)]).toEqual([asked, "/"]);
});
