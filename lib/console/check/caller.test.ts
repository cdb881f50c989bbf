import { expect, it } from "vitest";
import { clientHeaders } from "./caller.ts";

const secret = "a-token-of-some-length";
const left = (headers: Record<string, string>) =>
  Object.fromEntries(clientHeaders(new Headers(headers), { token: secret, variable: "SLUICE_CHECK_TOKEN" }));

it.each([
  [{}],
  [{ authorization: "" }],
  [{ authorization: secret }],
  [{ authorization: "Bearer" }],
  [{ authorization: `Basic ${secret}` }],
  [{ authorization: `Bearer ${secret}x` }],
  [{ authorization: `Bearer ${secret.slice(1)}` }],
  [{ authorization: `Bearer ${secret} ${secret}` }],
  [{ "x-sluice-token": "" }],
  [{ "x-sluice-token": `Bearer ${secret}` }],
  [{ "x-sluice-token": secret.toUpperCase() }],
])("knows no caller by %j", (headers) => {
  expect(() => left(headers)).toThrow(/^The token is missing or wrong/);
});

it("takes the token away, wherever it came, and leaves the client's own headers", () => {
  expect(left({ authorization: `Bearer ${secret}`, accept: "text/html" })).toEqual({ accept: "text/html" });
  expect(left({ authorization: `bearer ${secret}` })).toEqual({});
  expect(left({ "x-sluice-token": secret, authorization: "Basic dTpw" })).toEqual({
    authorization: "Basic dTpw",
  });
});

it("knows no caller while no token is set", () => {
  for (const token of [undefined, ""]) {
    const headers = new Headers({ authorization: "Bearer ", "x-sluice-token": "" });
    expect(() => clientHeaders(headers, { token, variable: "SLUICE_METRICS_TOKEN" })).toThrow(
      /SLUICE_METRICS_TOKEN is not set/,
    );
  }
});

it("is not confused by a token header of the client's own", () => {
  expect(left({ authorization: `Bearer ${secret}`, "x-sluice-token": "mine" })).toEqual({});
});
