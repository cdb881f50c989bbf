import { describe, expect, it } from "vitest";
import { commands } from "./commands.ts";
import { sluice } from "./testing.ts";

const nowhere = { redisUrl: "redis://127.0.0.1:1" };

describe("a command line that cannot be read", () => {
  it.each([
    [["blok", "add", "1.2.3.4"], 'Unknown command "blok". Did you mean "block"?'],
    [["block", "ad"], 'Did you mean "block add"?'],
    [["safelist"], "It takes one of add, remove, extend, tag, list, import, export."],
    [["block", "add"], "An argument is missing. Usage: sluice block add <address…>"],
    [["block", "add", "1.2.3.4", "--tll", "3"], 'Unknown option --tll. Did you mean "--ttl"?'],
    [["block", "add", "1.2.3.4", "--ttl"], "--ttl needs a value"],
    [["block", "add", "1.2.3.4", "--ttl", "--force"], "--ttl needs a value"],
    [["block", "add", "1.2.3.4", "--force=yes"], "--force takes no value"],
    [["block", "add", "1.2.3.4", "--limit", "3"], '"block add" takes no --limit'],
    [["block", "list", "--version", "3"], '"block list" takes no --version'],
    [
      ["customer", "limit", "acme"],
      "An argument is missing. Usage: sluice customer limit <id> <limit/period…>, or --clear",
    ],
    [["customer", "limit", "acme", "5/60s", "--clear"], "--clear removes all levels"],
    [["customer", "limit", "acme", "--clear", "--expires", "7d"], "--clear removes all levels"],
    [["policy", "enforse", "x"], 'Did you mean "policy enforce"?'],
    [["mode", "off", "now"], '"now" is one argument too many'],
    [["explain", "1.2.3.4", "5.6.7.8"], '"5.6.7.8" is one argument too many'],
    [["xyzzy", "--help"], 'Unknown command "xyzzy"'],
    [["help", "xyzzy"], 'Unknown command "xyzzy"'],
    [[], "The command is missing."],
  ])("%j exits with 2 and suggests what was meant", async (argv, says) => {
    const { exit, stdout, stderr } = await sluice(argv, nowhere);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(says);
  });

  it("is reported as JSON with --json", async () => {
    const { exit, stdout, stderr } = await sluice(["block", "ad", "--json"], nowhere);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "bad-usage", fields: {} } });
  });
});

describe("help", () => {
  it("names every command and every exit code", async () => {
    const { exit, stdout } = await sluice(["--help"], nowhere);
    expect(exit).toBe(0);
    for (const { name } of commands) expect(stdout).toContain(`  ${name} `);
    expect(stdout).toMatch(/Exit codes:\n {2}0 {2}done\n {2}1 .*\n {2}2 .*\n {2}3 /);
  });

  it.each(commands.map(({ name }) => name))("explains %s with an example that can be typed", async (name) => {
    const asked = await sluice([...name.split(" "), "--help"], nowhere);
    expect(asked.stdout).toMatch(new RegExp(`Examples:\n.*sluice ${name}`));
    expect(await sluice(["help", ...name.split(" ")], nowhere)).toEqual(asked);
  });

  it("shows a group's verbs", async () => {
    const { stdout } = await sluice(["never-block", "-h"], nowhere);
    expect(stdout).toContain("never-block remove <range>");
    expect(stdout).not.toContain("safelist");
  });
});

it("prints its version", async () => {
  for (const argv of [["--version"], ["policy", "show", "--version"]])
    expect((await sluice(argv, nowhere)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
