import { createGuard } from "sluice";

export const guard = createGuard({
  redis: process.env.REDIS_URL,
  app: "storefront",
  trustedProxies: process.env.TRUSTED_PROXIES,
  // Each department has one quota, however many of its pages are asked for: "teapots" of /api/v1/teapots/7.
  clients: { department: ({ path }) => /^\/api\/v1\/([^/]+)/.exec(path ?? "")?.[1] },
});
