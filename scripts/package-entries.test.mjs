import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { repositoryFields, withoutLocalLinks } from "./pack-lib.mjs";
import { inProject } from "./project.mjs";

it("gives TypeScript's older resolution the same entries as exports", () => {
  const { exports, main, types, typesVersions } = JSON.parse(
    readFileSync(inProject("lib/package.json"), "utf8"),
  );
  const { ".": root, "./package.json": _, ...others } = exports;
  expect({ types, default: main }).toEqual({ types: root.types, default: root.default });
  const older = Object.entries(others).map(([name, { types }]) => [name.slice(2), [types]]);
  expect(typesVersions).toEqual({ "*": Object.fromEntries(older) });
});

it("is of the same version and for the same Node as the console", () => {
  const [library, console] = ["lib/package.json", "package.json"].map((path) =>
    JSON.parse(readFileSync(inProject(path), "utf8")),
  );
  expect([library.version, library.engines]).toEqual([console.version, console.engines]);
});

it("has a README whose links lead somewhere without the repository", () => {
  const readme = withoutLocalLinks(readFileSync(inProject("README.md"), "utf8"));
  const links = [...readme.matchAll(/\]\(([^)\n]{1,300})\)/g)].map(([, to]) => to);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((to) => !/^(https:|#|CHANGELOG\.md$|LICENSE$)/.test(to ?? ""))).toEqual([]);
});

it.each(["https://git.example.org/fleet/sluice.git", "git@git.example.org:fleet/sluice.git"])(
  "names the repository that it was packed from: %s",
  (origin) => {
    expect(repositoryFields(origin)).toEqual({
      repository: { type: "git", url: "git+https://git.example.org/fleet/sluice.git", directory: "lib" },
      homepage: "https://git.example.org/fleet/sluice#readme",
      bugs: "https://git.example.org/fleet/sluice/issues",
    });
  },
);

it.each(["", "../sluice", "/srv/git/sluice.git", "file:///srv/git/sluice.git"])(
  "names no repository that only this machine can open: %j",
  (origin) => expect(repositoryFields(origin)).toEqual({}),
);
