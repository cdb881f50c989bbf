import { Card } from "@/components/ui/card.tsx";
import { version } from "@/lib/enforce/guard/version.ts";
import type { Status } from "@/lib/queries/status.ts";

const steps = [
  {
    title: "Install the package in your app",
    code: `# in Sluice's folder
npm run pack:lib
# in your app
npm install ../sluice-${version}.tgz`,
  },
  {
    title: "proxy.ts",
    code: `import { createGuard } from "sluice";
import { createProxy } from "sluice/next";

export const proxy = createProxy(
  createGuard({
    redis: process.env.REDIS_URL!,
    app: "storefront",
  }),
);`,
  },
  { title: "instrumentation.ts", code: 'export { register } from "sluice/next";' },
];

/** Steps for a fresh install, where only the console enforces. */
export function ConnectCard({ known: { rules } }: { known: Status }) {
  const watching = rules.filter(({ mode }) => mode === "shadow").map(({ name }) => name);
  return (
    <Card title="Connect the first app" hint="It appears under Nodes within two seconds of its start.">
      <ol className="grid gap-3 lg:grid-cols-3">
        {steps.map(({ title, code }, i) => (
          <li key={title} className="flex min-w-0 flex-col gap-1.5">
            <h3 className="text-cell font-medium text-text-2">
              {i + 1}. {title}
            </h3>
            <pre className="flex-1 overflow-x-auto rounded-control border border-border bg-sunken px-3 py-2 font-mono text-cell whitespace-pre-wrap wrap-anywhere">
              {code}
            </pre>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-cell text-text-2">
        The app enforces both lists and all rules immediately.
        {watching.length > 0 && ` Rules in shadow are not enforced yet: ${watching.join(", ")}.`}
      </p>
    </Card>
  );
}
