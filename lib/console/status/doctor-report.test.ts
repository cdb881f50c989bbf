import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Role } from "../../manage/users/roles.ts";
import { openSession } from "../../manage/users/sessions.ts";
import type { DoctorReport } from "../../queries/doctor.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { theAuditEnd } from "../audit/audit-watch.ts";
import { theConsole } from "../console.ts";
import { getDoctorReport } from "./doctor-report.ts";

/** Too short, so that there is something to say about it. */
const secret = "seventeen letters";
const cookie = vi.hoisted(() => ({ value: "" }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({ get: () => ({ value: cookie.value }) }),
}));

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("COUNTERS_REDIS_URL", "redis://counters.invalid:6379");
  vi.stubEnv("NEXTAUTH_SECRET", secret);
  vi.stubEnv("SLUICE_TOKEN", "hush");
});
afterAll(async () => {
  theAuditEnd().stop();
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  await server.stop();
  vi.unstubAllEnvs();
});
beforeEach(() => server.client.flushall());

async function reportFor(role: Role): Promise<DoctorReport> {
  const user = { role, version: 1, since: "", by: "password", firstPassword: "log" };
  await server.client.hset("sluice:users", "ada@example.org", JSON.stringify(user));
  const sid = await openSession(server.client, { email: "ada@example.org", version: 1 });
  cookie.value = await encode({ token: { sid }, secret });
  const answer = await getDoctorReport(new Request("http://localhost/api/doctor"), {
    params: Promise.resolve({}),
  });
  return answer.json();
}
const aboutSecrets = [
  "secret",
  "https",
  "redis-link",
  "counters-link",
  "check-token",
  "metrics-token",
  "first-admin",
];
/** A report without running checks. On a busy machine, the first ones take longer than a reply waits. */
const completeReportFor = (role: Role) =>
  eventually(async () => {
    const report = await reportFor(role);
    expect(report.looking).toEqual([]);
    return report;
  });
const namesOf = ({ findings }: DoctorReport) => findings.map(({ check }) => check);

it.each(["viewer", "staff", "support"] as const)(
  "tells %s nothing about secrets, passwords and encryption, and says that it does not",
  async (role) => {
    const report = await completeReportFor(role);
    expect(report.hasAll).toBe(false);
    expect(namesOf(report)).toEqual(expect.arrayContaining(["connection", "eviction", "policy"]));
    expect(namesOf(report).filter((check) => aboutSecrets.includes(check))).toEqual([]);
    expect(JSON.stringify(report.findings)).not.toMatch(/NEXTAUTH_SECRET|token|password|TLS|ada@/);
  },
);

it("tells admins that a secret is too short, and no user how long it is", async () => {
  const report = await completeReportFor("admin");
  expect(report.hasAll).toBe(true);
  expect(aboutSecrets.filter((check) => !namesOf(report).includes(check))).toEqual([]);
  const says = (name: string) => report.findings.find(({ check }) => check === name)?.says;
  expect(says("secret")).toContain("is too short");
  expect(says("check-token")).toContain("is too short");
  expect(says("first-admin")).toContain("ada@example.org still has the first password");
  expect(says("secret")).not.toMatch(/\d/);
});
