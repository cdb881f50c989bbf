"use client";

import { LogOut, User } from "lucide-react";
import { useStanding } from "@/components/console/status.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";

/** Signed-in user, their address, and the button to sign out. */
export function UserBlock() {
  const { known } = useStanding();
  const leave = useSignOut();
  if (!known) return null;
  const { email, role, address } = known.you;
  return (
    <div className="flex shrink-0 flex-col gap-1.5 border-t border-border px-2 pt-3 pb-2 text-text-3">
      <div className="flex gap-2.5">
        <User className="mt-1.5" />
        <div className="min-w-0 flex-1">
          <p className="truncate text-cell font-medium text-text">
            <Untrusted text={email} max={80} />
          </p>
          <p className="text-meta">
            Your IP: <span className="font-mono wrap-anywhere">{address ?? "unknown"}</span>
          </p>
        </div>
      </div>
      <div className="flex items-center justify-between gap-2">
        <Badge tone="plain">{role}</Badge>
        <Button variant="ghost" size="sm" icon={<LogOut />} isBusy={leave.isBusy} onClick={leave.run}>
          Sign out
        </Button>
      </div>
    </div>
  );
}

const leavesWithinMs = 5_000;

function useSignOut() {
  const toast = useToast();
  const { run, isBusy } = useMutate();
  const leave = async () => {
    const left = await run(async () => {
      // Only who leaves needs it.
      const { signOut } = await import("next-auth/react");
      await signOut({ callbackUrl: "/signin" });
      // The next page is on its way, unless a draft makes the person stay.
      await new Promise((resolve) => setTimeout(resolve, leavesWithinMs));
      return { ok: true, value: undefined };
    });
    if (!left)
      toast({ tone: "throttled", title: "You are still signed in", detail: "The console does not answer." });
  };
  return { isBusy, run: () => void leave() };
}
