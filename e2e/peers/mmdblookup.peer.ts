import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { formatIp } from "@/lib/ip/block.ts";
import { embeddedData } from "@/lib/observe/networks/embedded-data.ts";
import { MmdbFile } from "@/lib/observe/networks/mmdb-file.ts";
import { sampleAddresses } from "@/lib/observe/networks/vitest.sample-addresses.ts";

const run = promisify(execFile);
const sameAtOnce = 8;

/** The country by mmdblookup of libmaxminddb. */
async function countryOf(file: string, ip: string): Promise<string | undefined> {
  try {
    const { stdout } = await run("mmdblookup", ["--file", file, "--ip", ip, "country_code"]);
    return /"(\w\w)" <utf8_string>/.exec(stdout)?.[1];
  } catch (error) {
    // It exits with an error for an address that the file does not have.
    const says = error instanceof Error ? error.message : "";
    if (/Could not find an entry for this IP address/.test(says)) return undefined;
    throw error;
  }
}

it("finds for a thousand addresses the country that libmaxminddb finds", async () => {
  const file = embeddedData().country?.files[0];
  if (file === undefined) throw new Error("npm ci installs the data");
  const data = await MmdbFile.load(file);
  const addresses = sampleAddresses(1_000);
  let known = 0;
  const work = async () => {
    for (let block = addresses.pop(); block; block = addresses.pop()) {
      const ip = formatIp(block);
      const country = await countryOf(file, ip);
      if (country !== undefined) known++;
      expect(data.find(block).facts?.country, ip).toBe(country);
    }
  };
  await Promise.all(Array.from({ length: sameAtOnce }, work));
  expect(known).toBeGreaterThan(600);
}, 120_000);
