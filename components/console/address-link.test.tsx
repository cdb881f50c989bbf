import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { AddressLink } from "./address-link.tsx";

const html = (address: string) => renderToStaticMarkup(<AddressLink address={address} />);

it.each([
  ["203.0.113.9", "/clients/203.0.113.9"],
  ["203.0.113.0/24", "/clients/203.0.113.0%2F24"],
  ["2001:db8::1", "/clients/2001%3Adb8%3A%3A1"],
])("links %s to its page", (address, href) => {
  expect(html(address)).toContain(`href="${href}"`);
  expect(html(address)).toContain(address);
});

it.each(["junk", "203.0.113.9/24", "javascript:alert(1)", ""])("leaves %j as text", (text) => {
  expect(html(text)).not.toContain("href");
});
