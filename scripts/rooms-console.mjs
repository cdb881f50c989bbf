/**
 * Rules of app and components: routes, what a browser loads, and features that keep apart.
 * @typedef {import("./rooms-rules.mjs").Rule} Rule
 * @typedef {import("./rooms-rules.mjs").File} File
 */

/** Files of lib that a browser loads. Their code and everything they import runs on both sides of the network. */
export const inBrowser = [
  "lib/enforce/algorithms/algorithms.ts",
  "lib/enforce/guard/version.ts",
  "lib/enforce/limits/simulation.ts",
  "lib/enforce/limits/traffic.ts",
  "lib/enforce/lists/entry.ts",
  "lib/enforce/policy/client.ts",
  "lib/enforce/policy/levels.ts",
  "lib/enforce/policy/match.ts",
  "lib/enforce/policy/schema.ts",
  "lib/enforce/policy/stored.ts",
  "lib/enforce/policy/timed.ts",
  "lib/enforce/policy/words.ts",
  "lib/ip/block.ts",
  "lib/ip/parse.ts",
  "lib/ip/range-list.ts",
  "lib/manage/alarms/kinds.ts",
  "lib/manage/links/link-template.ts",
  "lib/manage/lists/csv.ts",
  "lib/manage/lists/previewed-lines.ts",
  "lib/manage/lists/tags.ts",
  "lib/manage/tokens/scopes.ts",
  "lib/manage/users/passwords.ts",
  "lib/manage/users/roles.ts",
  "lib/manage/users/sso-claims.ts",
  "lib/manage/users/user.ts",
  "lib/manage/users/wait.ts",
  "lib/observe/networks/claimed-bots.ts",
  "lib/observe/networks/network-words.ts",
  "lib/observe/policy/diff.ts",
  "lib/observe/policy/rate-questions.ts",
];

/** Folders of components that a folder may import. A feature may import all four. */
const below = {
  ui: [],
  charts: ["ui"],
  console: ["ui", "charts"],
  shell: ["ui", "charts", "console"],
};
const shared = Object.keys(below);

/** Files of other features that a feature may import. */
const mayEnter = {
  client: [
    "lists/composer/expiry-field.tsx",
    "lists/composer/expiry.ts",
    "lists/composer/preview-groups.ts",
    "lists/composer/preview-list.tsx",
    "lists/composer/use-preview.ts",
    "lists/tags/entry-tags.tsx",
    "lists/tags/tags-field.tsx",
    "lists/write-lines.ts",
    "lists/hits-words.ts",
    "lists/list-words.ts",
    "offenders/block-buttons.tsx",
    "offenders/period-text.ts",
  ],
  alarms: ["settings/secret-once.tsx"],
  customers: ["lists/composer/expiry-field.tsx", "lists/composer/expiry.ts"],
  offenders: ["client/entry-dialog.tsx", "lists/list-words.ts"],
  overview: [
    "audit/feed/row-icon.tsx",
    "audit/feed/sentence.tsx",
    "offenders/selecting-link.ts",
    "offenders/top-offenders.tsx",
  ],
  // The look-up runs the same commands as a client's page. Both come after the page's own code.
  shell: ["client/entry-dialog.tsx"],
  // A test publishes a draft of the lab.
  policy: ["lab/run/draft.ts"],
};

const routeName =
  /^app\/(.*\/)?(page|layout|template|loading|error|global-error|not-found|default)\.tsx$|^app\/(.*\/)?route\.ts$|^app\/(.*\/)?(icon|apple-icon|opengraph-image|twitter-image|favicon)\.\w+$|^app\/(globals\.css|robots\.ts|sitemap\.ts|manifest\.ts)$/;

/** Whether a file of app is a route of Next. @param {string} path */
export const isRoute = (path) => routeName.test(path);

/** Rules of every file. @type {Rule[]} */
export const everywhereRules = [
  {
    says: "an import climbs two levels at most: outside of lib, write @/",
    isBroken: (_, { value }) => value.startsWith("../../../"),
  },
  {
    says: "nothing imports from app",
    isBroken: (file, _, target) => target?.room === "app" && file.room !== "app",
  },
];

/** @type {Rule[]} */
export const consoleRules = [
  {
    says: "app imports components, lib/console, lib/queries, and files that a browser may load",
    isBroken: (file, { isTypeOnly }, target) =>
      file.room === "app" &&
      target !== undefined &&
      !/^(app|components|lib\/console|lib\/queries)(\/|$)/.test(target.room) &&
      !isTypeOnly &&
      !inBrowser.includes(target.path),
  },
  {
    says: "components import from lib types, lib/queries, actions of lib/console, and files that a browser may load",
    isBroken: (file, { isTypeOnly }, target) =>
      isComponent(file) &&
      !file.isTest &&
      target?.path.startsWith("lib/") === true &&
      target.room !== "lib/queries" &&
      !isTypeOnly &&
      !inBrowser.includes(target.path) &&
      !target.path.startsWith("lib/console/actions/"),
  },
  {
    says: "a folder of components imports another only in the direction of scripts/rooms-console.mjs, or a file that its table names",
    isBroken: (file, _, target) =>
      isComponent(file) && isComponent(target) && target !== undefined && !mayUse(file.room, target),
  },
];

/** @type {Rule[]} */
export const stateRules = [
  {
    says: "what is being changed is known by components/console/use-mutate.ts, not by a state of its own",
    isBroken: (file, { value }) =>
      isComponent(file) &&
      file.path !== "components/console/use-mutate.ts" &&
      /^(is)?(busy|pending|saving|sending|submitting|working|under ?way)/i.test(value),
  },
];

/** @param {string} room @param {{ path: string; room: string }} target */
function mayUse(room, target) {
  const [from = "", to = ""] = [room, target.room].map((name) => name.slice("components/".length));
  if (from === to || find(below, from, shared).includes(to)) return true;
  return find(mayEnter, from, []).includes(target.path.slice("components/".length));
}

/** @param {Record<string, readonly string[]>} table @param {string} name @param {readonly string[]} otherwise */
const find = (table, name, otherwise) => table[name] ?? otherwise;

/** @param {{ room: string } | undefined} file */
const isComponent = (file) => /^components(\/|$)/.test(file?.room ?? "");
