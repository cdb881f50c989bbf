"use client";

import type { ReactNode } from "react";
import { Select } from "@/components/ui/select.tsx";
import { PauseButton } from "./pause-button.tsx";
import { useLive } from "./use-live.tsx";

const everyApp = "*";

interface LiveControlsProps {
  apps: readonly string[];
  /** Controls between the app and the pause. */
  children?: ReactNode;
}

/** The shown app, and the pause. */
export function LiveControls({ apps, children }: LiveControlsProps) {
  const { app, look } = useLive();
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
      {children}
      <PauseButton />
    </>
  );
}
