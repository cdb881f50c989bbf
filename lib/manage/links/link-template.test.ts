import { expect, it } from "vitest";
import { linkNameProblem, linkProblem, linkTo } from "./link-template.ts";

it.each([
  ["client", "https://logs.example.org/?q={ip}"],
  ["client", "https://logs.example.org/{ip}/from?again={ip}#x"],
  ["client", "http://localhost:5601/app?q={ip}"],
  ["client", "http://[::1]/{ip}"],
  ["customer", "https://crm.example.org/accounts/{customer}"],
] as const)("takes for a %s %s", (kind, template) => {
  expect(linkProblem(kind, template)).toBeUndefined();
});

it.each([
  ["http://logs.example.org/{ip}", /https/],
  ["javascript:alert('{ip}')", /https/],
  ["data:text/html,{ip}", /https/],
  ["//logs.example.org/{ip}", /whole URL/],
  ["/clients/{ip}", /whole URL/],
  ["https://logs.example.org/", /\{ip\}/],
  ["https://{ip}.example.org/", /after the host/],
  ["https://ada:secret@example.org/{ip}", /password/],
  ["https://example.org/{ip}?c={customer}", /braces/],
  ["https://example.org/ {ip}", /spaces/],
  ["https://example.org/\n{ip}", /spaces/],
  [`https://example.org/${"x".repeat(500)}{ip}`, /500/],
])("refuses %s", (template, problem) => {
  expect(linkProblem("client", template)).toMatch(problem);
});

it("encodes the value, whatever it is", () => {
  expect(linkTo("client", "https://x.example/?q={ip}&r={ip}", "2001:db8::/32")).toBe(
    "https://x.example/?q=2001%3Adb8%3A%3A%2F32&r=2001%3Adb8%3A%3A%2F32",
  );
  expect(linkTo("customer", "https://x.example/{customer}", "a@b$&")).toBe("https://x.example/a%40b%24%26");
});

it("takes names that fit on a button", () => {
  for (const name of ["Logs", "Kibana 8", "Größe_1"]) expect(linkNameProblem(name)).toBeUndefined();
  for (const name of ["", " Logs", "Logs ", "x".repeat(31), "a:b", "<b>", "a\u202eb"])
    expect(linkNameProblem(name)).toMatch(/at most 30/);
});
