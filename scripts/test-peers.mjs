// `npm run test:peers`: Sluice with other servers and tools. A missing peer is skipped and named.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./children.mjs";
import { canInstall, installPackages } from "./debian.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensurePackages } from "./ensure-packages.mjs";
import { ensureRedis } from "./ensure-redis.mjs";
import { atEnd, main } from "./main.mjs";
import { inProject, installed, root } from "./project.mjs";
import { alreadyThere, step } from "./steps.mjs";
import { Stop, tell } from "./stop.mjs";
import { vitestCounts } from "./test-counts.mjs";

/**
 * Peers of e2e/peers/<name>.peer.ts: the command that proves that one is installed, and its Debian packages.
 * @type {{ name: string; proof: [string, ...string[]]; packages: string[] }[]}
 */
const peers = [
  { name: "ruby", proof: ["ruby", "-e", "require 'redis'"], packages: ["ruby", "ruby-redis"] },
  {
    name: "rack-attack",
    proof: ["ruby", "-e", "require 'rack/attack'; require 'redis'; require 'rack/handler/webrick'"],
    packages: ["ruby", "ruby-rack", "ruby-rack-attack", "ruby-redis", "ruby-webrick"],
  },
  // The tests install it from npm.
  { name: "package", proof: ["npm", "--version"], packages: ["npm"] },
  { name: "frameworks", proof: ["npm", "--version"], packages: ["npm"] },
  { name: "next-15", proof: ["npm", "--version"], packages: ["npm"] },
  // The test installs Fastly's linter from npm.
  { name: "falco", proof: ["npm", "--version"], packages: ["npm"] },
  {
    name: "crowdsec",
    proof: [
      "sh",
      "-c",
      "for tool in crowdsec-custom-bouncer crowdsec-firewall-bouncer nft ip; do command -v $tool || exit 1; done",
    ],
    packages: ["crowdsec-custom-bouncer", "crowdsec-firewall-bouncer", "nftables", "iproute2"],
  },
  { name: "prometheus", proof: ["promtool", "--version"], packages: ["prometheus"] },
  { name: "nginx", proof: ["nginx", "-v"], packages: ["nginx"] },
  { name: "memcached", proof: ["memcached", "-V"], packages: ["memcached"] },
  {
    name: "varnish",
    proof: ["sh", "-c", "varnishd -V && ls /usr/lib/*/varnish/vmods/libvmod_digest.so"],
    packages: ["varnish", "varnish-vmod-digest"],
  },
  { name: "mmdblookup", proof: ["mmdblookup", "--version"], packages: ["mmdb-bin"] },
  { name: "haproxy", proof: ["haproxy", "-v"], packages: ["haproxy"] },
  {
    name: "edge",
    proof: ["sh", "-c", "for tool in varnishd haproxy ffuf scrapy; do command -v $tool || exit 1; done"],
    packages: ["varnish", "varnish-vmod-digest", "haproxy", "ffuf", "python3-scrapy"],
  },
  {
    name: "scanners",
    proof: ["sh", "-c", "for tool in wrk ffuf sqlmap scrapy; do command -v $tool || exit 1; done"],
    packages: ["wrk", "ffuf", "sqlmap", "python3-scrapy"],
  },
];

const folder = inProject("e2e/peers");

async function testPeers() {
  ensureNode();
  await ensurePackages();
  await ensureRedis();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".peer.ts"),
  );
  const unknown = files.find((file) => !peers.some(({ name }) => file === `${name}.peer.ts`));
  if (unknown) throw new Stop(`e2e/peers/${unknown}: its peer is not in the list of scripts/test-peers.mjs.`);
  /** @type {string[]} */
  const skipped = [];
  for (const peer of peers.filter(({ name }) => files.includes(`${name}.peer.ts`))) {
    if (!(await ensurePeer(peer))) skipped.push(peer.name);
  }
  const present = files.filter((file) => !skipped.includes(file.slice(0, -".peer.ts".length)));
  const { counts, hasPassed } = await runVitest(present);
  const skips = counts.skipped + skipped.length;
  const isSkipFailure = process.env.CI === "true" && skips > 0;
  if (isSkipFailure) console.error("\nWith CI=true a skip is a failure.");
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${skips} skipped`);
  return hasPassed && !isSkipFailure ? 0 : 1;
}

/** Whether the peer is here, or could be installed. @param {(typeof peers)[number]} peer */
async function ensurePeer({ name, proof, packages }) {
  try {
    await step(`peer ${name}`, async (say) => {
      if (await isHere(proof)) return alreadyThere();
      if (!canInstall())
        throw new Stop(`skipped: ${name} is not installed (on Debian: ${packages.join(" ")})`);
      say(`apt-get install ${packages.join(" ")}`);
      await installPackages(...packages);
      if (!(await isHere(proof)))
        throw new Stop(`skipped: ${name} is installed but "${proof.join(" ")}" fails`);
      return "installed by apt";
    });
    return true;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    tell(error);
    return false;
  }
}

/** @param {[string, ...string[]]} proof */
async function isHere([program, ...args]) {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

/** @param {string[]} files */
async function runVitest(files) {
  if (files.length === 0) return { counts: { passed: 0, failed: 0, skipped: 0 }, hasPassed: true };
  const reports = mkdtempSync(join(tmpdir(), "sluice-peers-"));
  atEnd(() => rmSync(reports, { recursive: true, force: true }));
  const report = join(reports, "peers.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const hasPassed = await run(
    installed("vitest"),
    ["run", "--config", "e2e/peers/vitest.config.ts", ...reporters, ...files],
    { cwd: root, shouldStream: true },
  ).then(
    () => true,
    (error) => tell(error) === 0,
  );
  return { counts: vitestCounts(report), hasPassed };
}

process.chdir(root);
await main(testPeers);
