"use client";

import { Pause, Play } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { kbdOf } from "./shortcuts.ts";
import { useLive } from "./use-live.tsx";

export function PauseButton() {
  const { isPaused, pause } = useLive();
  return (
    <Button
      icon={isPaused ? <Play /> : <Pause />}
      onClick={() => pause(!isPaused)}
      kbd={kbdOf("pause")}
      className="max-sm:w-11"
    >
      <span className="max-sm:sr-only">{isPaused ? "Resume" : "Pause live"}</span>
    </Button>
  );
}
