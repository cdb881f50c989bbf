import { expect, it } from "vitest";
import { noticeOf, sayTrouble } from "./sign-in-words.ts";

it("has a sentence for each word, and repeats nothing that it does not know", () => {
  expect(sayTrouble("CredentialsSignin")).toBe("Email or password is wrong.");
  expect(sayTrouble("throttled-60")).toBe("Too many failed attempts. Try again in 60 s.");
  expect(sayTrouble("throttled-840")).toBe("Too many failed attempts. Try again in 14 min.");
  expect(sayTrouble("OAuthCallback")).toContain("Single sign-on");
  expect(sayTrouble("sso-role")).toContain("no role");
  for (const foreign of ["Call 555 0100", "throttled-9999999", "toString", "__proto__", ""])
    expect(sayTrouble(foreign)).toBe("Sign-in failed. Try again.");
});

it("tells good news and an ended session apart from what went wrong", () => {
  expect(noticeOf("password-set")).toMatchObject({ tone: "pass" });
  expect(noticeOf("ended")).toMatchObject({ tone: "plain" });
  for (const word of ["CredentialsSignin", "toString", "__proto__"]) expect(noticeOf(word)).toBeUndefined();
});
