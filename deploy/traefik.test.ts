import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const page = await readFile(new URL("../docs/tasks/other-proxies.md", import.meta.url), "utf8");
const [, yaml = ""] = /\*\*Traefik\*\*[^`]*```yaml\n([^`]*(?:`[^`]+`[^`]*)*?)```/.exec(page) ?? [];

test("the documented Traefik recipe sets the token, asks, and removes the token before the app", () => {
  expect(yaml).toContain("middlewares: [sluice-token, sluice-check, sluice-token-off]");
  expect(yaml).toMatch(
    /^ +sluice-token: .*customRequestHeaders: { X-Sluice-Token: "<SLUICE_CHECK_TOKEN>" }/m,
  );
  expect(yaml).toMatch(/^ +sluice-check: { forwardAuth: /m);
  expect(yaml).toMatch(/^ +sluice-token-off: .*customRequestHeaders: { X-Sluice-Token: "" }/m);
});
