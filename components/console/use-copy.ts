"use client";

import { useToast } from "@/components/ui/toast.tsx";

/** Copies a text, and says so. @param name the text in a few words; the text itself unless given */
export function useCopy(): (text: string, name?: string) => void {
  const toast = useToast();
  return (text, name = text) => {
    navigator.clipboard.writeText(text).then(
      () => toast({ tone: "plain", title: `Copied ${name}` }),
      () =>
        toast({
          tone: "plain",
          title: "Failed to copy",
          detail: "The browser does not allow the page to copy here.",
        }),
    );
  };
}
