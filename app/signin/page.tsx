import type { Metadata } from "next";
import { SignInCard } from "@/components/sign-in/sign-in-card.tsx";
import { readSignInPage } from "@/lib/console/session/sign-in-page.ts";

export const metadata: Metadata = { title: "Sign in" };

interface SignInProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SignIn({ searchParams }: SignInProps) {
  return <SignInCard {...(await readSignInPage(await searchParams))} />;
}
