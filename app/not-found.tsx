import type { Metadata } from "next";
import { LinkButton } from "@/components/ui/link-button.tsx";

export const metadata: Metadata = { title: "Not found" };

/** Also shown to users who are not signed in, so it shows no data. */
export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-3 p-5">
      <h1 className="text-title font-semibold">Page not found</h1>
      <p className="text-text-2">The address may be wrong, or the page was moved.</p>
      <LinkButton href="/" variant="primary" size="lg">
        Go to the overview
      </LinkButton>
    </main>
  );
}
