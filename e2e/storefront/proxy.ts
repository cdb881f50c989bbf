import { createGuard } from "sluice";
import { createProxy } from "sluice/next";

const guard = createGuard({
  redis: process.env.REDIS_URL ?? "redis://127.0.0.1:6379",
  app: "storefront",
  trustedProxies: process.env.TRUSTED_PROXIES,
});

export const proxy = createProxy(guard);
