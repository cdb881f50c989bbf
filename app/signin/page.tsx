import type { Metadata } from "next";
import { SignInCard } from "@/components/sign-in/sign-in-card.tsx";
import type { PageSearch } from "@/lib/console/prefetch.tsx";
import { readSignInPage } from "@/lib/console/session/sign-in-page.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignIn({ searchParams }: { searchParams: PageSearch }) {
  return <SignInCard {...(await readSignInPage(await searchParams))} />;
}
