// Pictures of the algorithms for docs/, made of the library's own models. `node scripts/docs-pictures.mjs` writes them.
import { writeFileSync } from "node:fs";
import { ensureLib } from "./build-lib.mjs";
import { inProject, isCommand } from "./project.mjs";

const seconds = 150;
const periodSeconds = 60;
const limit = 10;
/** One request at 2 s, twelve right before the clock's minute, twelve right after it, then one every 4 s. */
const bursts = [
  { seconds: 2, perSecond: 0 },
  { seconds: 1, perSecond: 1 },
  { seconds: 51, perSecond: 0 },
  { seconds: 12, perSecond: 2 },
  { seconds: seconds - 66, perSecond: 0.25 },
];

/** The rolling set counts as the rolling list does. */
const drawnAlgorithms = /** @type {const} */ ([
  "fixed",
  "first-hit",
  "rolling-list",
  "sliding",
  "gcra",
  "earrrl",
]);

const width = 720;
const left = 44;
const right = 24;
const top = 30;
const axis = 164;

/** Pictures by the name of their file. @returns {Promise<Map<string, string>>} */
export async function pictures() {
  /** @type {typeof import("../lib/enforce/limits/simulation.ts")} */
  const { arrivalsOf, estimates, models, simulate } = await import(
    inProject("dist/enforce/limits/simulation.js")
  );
  const arrivals = arrivalsOf(bursts);
  const drawn = drawnAlgorithms.map((algorithm) => {
    const { isRate, title } = models[algorithm];
    const level = isRate ? { limit: 0.3, periodSeconds: 20 } : { limit, periodSeconds };
    const { answers, permitted } = simulate({ algorithm, ...level }, arrivals);
    const line = isRate
      ? estimates(level, arrivals, seconds).map(({ atSeconds, perSecond }) => ({
          at: atSeconds,
          used: perSecond,
        }))
      : answers.map(({ atSeconds, used }) => ({ at: atSeconds, used }));
    const rule = isRate ? "0.3 requests a second, half-life 20 s" : `${limit} requests in ${periodSeconds} s`;
    const most = mostPermitted(answers);
    const says = `${title}, ${rule}: ${permitted} of ${answers.length} requests pass, at most ${most} in any ${periodSeconds} s.`;
    return /** @type {[string, string]} */ ([
      `${algorithm}.svg`,
      picture({
        says,
        line,
        isStepped: !isRate,
        limit: level.limit,
        unit: isRate ? "estimate per second" : "used",
        answers,
      }),
    ]);
  });
  return new Map(drawn);
}

/** The most requests that pass in any period. @param {readonly { atSeconds: number; isOver: boolean }[]} answers */
function mostPermitted(answers) {
  const times = answers.filter(({ isOver }) => !isOver).map(({ atSeconds }) => atSeconds);
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + periodSeconds).length),
  );
}

/**
 * @param {{ says: string; line: readonly { at: number; used: number }[]; isStepped: boolean; limit: number; unit: string;
 *   answers: readonly { atSeconds: number; isOver: boolean }[] }} facts
 */
function picture({ says, line, isStepped, limit, unit, answers }) {
  const highest = Math.max(limit, ...line.map(({ used }) => used)) * 1.15;
  const x = (/** @type {number} */ at) => round(left + (at / seconds) * (width - left - right));
  const y = (/** @type {number} */ used) => round(axis - (used / highest) * (axis - top));
  const path = line
    .map(({ at, used }, i) => {
      if (i === 0) return `M${x(0)} ${y(0)}H${x(at)}V${y(used)}`;
      return isStepped ? `H${x(at)}V${y(used)}` : `L${x(at)} ${y(used)}`;
    })
    .join("");
  const marks = answers.map(({ atSeconds, isOver }) => {
    const at = x(atSeconds);
    return isOver
      ? `<path class="denied" d="M${round(at - 2.5)} 192l5 5m0-5l-5 5"/>`
      : `<path class="pass" d="M${at} 178v8"/>`;
  });
  const minutes = [0, 30, 60, 90, 120, 150].map(
    (at) => `<text x="${x(at)}" y="216" text-anchor="middle">${at} s</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 224" role="img" aria-label="${says}">
<style>
text{font:12px Inter,system-ui,sans-serif;fill:#636e7a}.says{fill:#14181d;font-weight:500}
path{fill:none}.frame{stroke:#d0d6dd}.limit{stroke:#14181d;stroke-dasharray:5 4}.line{stroke:#48525e;stroke-width:1.5}
.pass{stroke:#0f9d7f;stroke-width:2}.denied{stroke:#c47d08;stroke-width:1.5}
@media (prefers-color-scheme:dark){text{fill:#828d9a}.says{fill:#e9ecf0}.frame{stroke:#2d343d}.limit{stroke:#e9ecf0}.line{stroke:#a7b0bc}
.pass{stroke:#2dbe9c}.denied{stroke:#e8a33d}}
</style>
<text class="says" x="${left}" y="16">${says}</text>
<path class="frame" d="M${left} ${top}V${axis}H${width - right}M${x(60)} ${top}V${axis}M${x(120)} ${top}V${axis}"/>
<path class="limit" d="M${left} ${y(limit)}H${width - right}"/>
<text x="${left - 8}" y="${y(limit) + 4}" text-anchor="end">${limit}</text>
<text x="${left - 8}" y="${axis + 4}" text-anchor="end">0</text>
<text x="${left + 6}" y="${top + 12}">${unit}</text>
<path class="line" d="${path}"/>
<text x="${left - 8}" y="187" text-anchor="end">pass</text>
<text x="${left - 8}" y="200" text-anchor="end">429</text>
${marks.join("\n")}
${minutes.join("\n")}
</svg>
`;
}

/** @param {number} number */
const round = (number) => Math.round(number * 10) / 10;

if (isCommand(import.meta.url)) {
  await ensureLib();
  for (const [name, svg] of await pictures()) writeFileSync(inProject("docs/pictures", name), svg);
}
