import Image from "next/image";
import { environment, requireRedisUrl } from "../lib/env.ts";
import { controlConnection } from "../lib/redis/roles.ts";
import { RedisStatus } from "./_components/redis-status.tsx";

export const dynamic = "force-dynamic";

const steps = [
  {
    title: "Block an address for a week",
    command: 'npm run sluice -- block add 203.0.113.9 --reason "scraper"',
  },
  { title: "Never stop one", command: 'npm run sluice -- safelist add 198.51.100.0/24 --reason "office"' },
  { title: "See why an address is or is not stopped", command: "npm run sluice -- explain 203.0.113.9" },
  { title: "Check the house", command: "npm run sluice -- doctor" },
];

/** For whoever has just started Sluice: is it up, and what can I do now? It is public, so it names no entry. */
export default async function Home() {
  const isUp = await controlConnection(requireRedisUrl(environment()))
    .ping()
    .then(Boolean, () => false);
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col justify-center gap-3 p-5">
      <header className="flex items-center gap-3">
        <Image src="/icon.svg" alt="" width={32} height={32} unoptimized />
        <h1 className="text-[18px] leading-6 font-semibold">Sluice</h1>
        <RedisStatus isUp={isUp} />
      </header>
      <p className="text-text-2">
        Entries on the safelist and the blocklist are in force in every app that runs the guard, within a
        quarter of a second of being written.
      </p>
      <ol className="rounded-[10px] border border-border bg-surface">
        {steps.map(({ title, command }) => (
          <li key={title} className="flex flex-col gap-2 border-border p-3.5 not-last:border-b">
            <h2 className="font-semibold">{title}</h2>
            <code className="block rounded-md bg-sunken px-3 py-2 font-mono text-[12px] leading-4 break-words text-text-2">
              {command}
            </code>
          </li>
        ))}
      </ol>
      <p className="text-text-3">README.md shows the lines that enforce the lists in your own app.</p>
    </main>
  );
}
