"use client";

import { Pause, Play } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Select } from "@/components/ui/select.tsx";
import { rangeNames } from "@/lib/queries/overview.ts";
import { kbdOf } from "./shortcuts.ts";
import { useLive } from "./use-live.tsx";

const everyApp = "*";

export function LiveControls({ apps, hasRange = true }: { apps: readonly string[]; hasRange?: boolean }) {
  const { range, app, look } = useLive();
  const names = app === undefined || apps.includes(app) ? apps : [app, ...apps];
  return (
    <>
      <Select
        label="App"
        value={app ?? everyApp}
        onChange={(picked) => look({ app: picked === everyApp ? undefined : picked })}
        options={[
          { value: everyApp, label: "All apps" },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
      />
      {hasRange && (
        <Segmented
          label="Period"
          value={range}
          onChange={(picked) => look({ range: picked, zoom: undefined })}
          options={rangeNames.map((name) => ({ value: name, label: name }))}
        />
      )}
      <PauseButton />
    </>
  );
}

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
