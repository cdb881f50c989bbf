import type { Metadata } from "next";
import { LinkButton } from "../components/ui/link-button.tsx";

export const metadata: Metadata = { title: "Not found" };

/** Whoever comes here may not be signed in, so it says nothing else. */
export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-3 p-5">
      <h1 className="text-title font-semibold">There is no such page</h1>
      <p className="text-text-2">The address may be mistyped, or the page was moved.</p>
      <LinkButton href="/" variant="primary" size="lg">
        Go to the overview
      </LinkButton>
    </main>
  );
}
