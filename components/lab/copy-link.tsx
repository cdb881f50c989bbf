"use client";

import { Link2 } from "lucide-react";
import { usePathname } from "next/navigation";
import { Button } from "@/components/ui/button.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import type { Run } from "./run/run.ts";
import { writeRun } from "./run/run-url.ts";

export function CopyLink({ run }: { run: Run }) {
  const toast = useToast();
  const pathname = usePathname();
  const copy = async () => {
    const href = new URL(`${pathname}${writeRun(run)}`, location.origin).href;
    // Over plain http there is no clipboard.
    const isDone = await navigator.clipboard?.writeText(href).then(
      () => true,
      () => false,
    );
    if (isDone) toast({ tone: "plain", title: "Copied the link to this run" });
    else
      toast({
        tone: "plain",
        title: "Failed to copy",
        detail: "Copy the link from the address bar.",
      });
  };
  return (
    <Button size="lg" icon={<Link2 />} onClick={() => void copy()}>
      Copy link to this run
    </Button>
  );
}
