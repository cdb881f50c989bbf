import type { Metadata } from "next";
import { WelcomeCard } from "@/components/sign-in/welcome-card.tsx";
import { readWelcomePage } from "@/lib/console/session/sign-in-page.ts";

// The URL is a secret, so no other site may get it as a referrer.
export const metadata: Metadata = { title: "Choose a password", referrer: "no-referrer", robots: "noindex" };

/** Page of a one-time link. */
export default async function Welcome({ params }: { params: Promise<{ word: string }> }) {
  return <WelcomeCard {...(await readWelcomePage((await params).word))} />;
}
