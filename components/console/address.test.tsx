import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Address } from "./address.tsx";

const address = "203.0.113.9";

function html(part: ReturnType<typeof Address>) {
  const client = new QueryClient();
  const owner = { customer: "acme", requests: 3, lastAt: 1 };
  client.setQueryData(["owners", address], { asOf: 2, knownSince: 1, address, owners: [owner], isAll: true });
  client.setQueryData(["networks", "of", address], {
    ...{ address, special: null, country: "DE", asn: 64_500, asName: "Example Hosting" },
    ...{ traits: [], isSeveral: false, isLoaded: true, hasFailure: false, isEmbedded: false },
  });
  return renderToStaticMarkup(<QueryClientProvider client={client}>{part}</QueryClientProvider>);
}

it("shows the address as a link, with its tag, its customers and its network", () => {
  const text = html(<Address address={address}>sqlmap</Address>);
  expect(text.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|")).toBe(
    `|${address}|sqlmap|acme|AS64500 Example Hosting · DE|`,
  );
  expect(text).toContain(`href="/clients/${address}"`);
  expect(text).toContain('href="/customers/acme"');
});

it("leaves out what the place says itself", () => {
  expect(html(<Address address={address} hasLink={false} />)).not.toContain(address);
  expect(html(<Address address={address} hasOwner={false} />)).not.toContain("acme");
  expect(html(<Address address={address} hasNetwork={false} />)).not.toContain("AS64500");
});
