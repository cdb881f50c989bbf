"use client";

import { Undo2 } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import { sayLevel } from "../level-words.ts";

/** A level in force that the draft takes away. */
export function RemovedLevel({ level, onRestore }: { level: Level; onRestore?: () => void }) {
  return (
    <li className="flex min-h-11 items-center gap-3 border-t border-border px-3.5 py-1.5 text-cell">
      <s className="text-text-3">{sayLevel(level)}</s>
      <Badge tone="plain">removed</Badge>
      {onRestore && (
        <IconButton
          label={`Keep ${sayLevel(level)}`}
          icon={<Undo2 />}
          className="ml-auto"
          onClick={onRestore}
        />
      )}
    </li>
  );
}
