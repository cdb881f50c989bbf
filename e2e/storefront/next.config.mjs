import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** @type {import("next").NextConfig} */
export default { outputFileTracingRoot: folder, turbopack: { root: folder } };
