import { gzipSync } from "node:zlib";
import type { APIRequestContext, Page } from "@playwright/test";
import { expect, test } from "./fixtures/seeded-test.ts";
import { show, type View, views } from "./fixtures/views.ts";

const barBytes = 300_000;
/** What the charts' library leaves in its code, whatever its chunks are called. */
const chartMark = "recharts-responsive-container";
const pathOf = ({ path }: View) => path.split("?")[0] ?? "";
const paths = [...new Set(views.map(pathOf))].filter((path) => path !== "/nowhere");

test("every page brings at most 300 kB of JavaScript, and none of it is for charts", async ({
  signedIn,
  signedOut,
}) => {
  const [inside, outside] = [await signedIn("admin"), await signedOut()];
  const sizes: [path: string, bytes: number][] = [];
  const known = new Map<string, Promise<string>>();
  for (const path of paths) {
    const { request } = path === "/signin" ? outside : inside;
    const scripts = await scriptsIn(request, path, known);
    expect(scripts.filter((code) => code.includes(chartMark))).toEqual([]);
    sizes.push([path, scripts.reduce((sum, code) => sum + gzipSync(code).length, 0)]);
  }
  console.log(`      ${sizes.map(([path, bytes]) => `${path} ${Math.round(bytes / 1_000)}`).join(", ")} kB`);
  expect(sizes.filter(([, bytes]) => bytes > barBytes || bytes < 100_000)).toEqual([]);
});

test("charts come after the page, and only where they are drawn", async ({ signedIn }) => {
  const hasCharts = async (name: string) => {
    const page = await signedIn("admin");
    const codes = await codesLoadedBy(page, name);
    await page.context().close();
    return codes.some((code) => code.includes(chartMark));
  };
  expect([await hasCharts("overview"), await hasCharts("offenders")]).toEqual([true, false]);
});

/** The code that the page as it comes asks for. What is for browsers without modules, none of the rest would fetch. */
async function scriptsIn(
  request: APIRequestContext,
  path: string,
  known: Map<string, Promise<string>>,
): Promise<string[]> {
  const html = await (await request.get(path)).text();
  const urls = new Set(
    [...html.matchAll(/<script(?![^>]* nomodule)[^>]* src="([^"]+)"/gi)].map(([, url = ""]) => url),
  );
  const read = async (url: string) => (await request.get(url)).text();
  for (const url of urls) if (!known.has(url)) known.set(url, read(url));
  return Promise.all([...urls].map((url) => known.get(url) ?? ""));
}

/** The code that a browser has got when nothing is missing on the page. */
async function codesLoadedBy(page: Page, name: string): Promise<string[]> {
  const urls = new Set<string>();
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") urls.add(response.url());
  });
  const view = views.find((one) => one.name === name);
  if (view) await show(page, view);
  return Promise.all([...urls].map(async (url) => (await page.request.get(url)).text()));
}
