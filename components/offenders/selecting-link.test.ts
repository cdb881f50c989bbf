import { expect, it } from "vitest";
import { selectingLink, takeSelected } from "./selecting-link.ts";

it("names clients in a link, and takes them out of its URL", () => {
  const clients = ["203.0.113.7", "2001:db8:1:2::/64"];
  const url = new URL(`https://sluice.example${selectingLink(clients)}&tool=sqlmap`);
  expect(takeSelected(url)).toEqual(clients);
  expect(url.search).toBe("?tool=sqlmap");
  expect(takeSelected(url)).toEqual([]);
  expect(selectingLink([])).toBe("/offenders");
});
