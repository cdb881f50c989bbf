"use client";

import { RefreshCw } from "lucide-react";
import { Button } from "../../../../components/ui/button.tsx";

/**
 * Rows that somebody points at keep their places; here they are let go. It takes no room of its own: rows that move
 * under the pointer are what it is there to prevent.
 */
export function ChangedNotice({ isBehind, onShow }: { isBehind: boolean; onShow: () => void }) {
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-24 z-15 flex h-0 justify-center max-sm:top-3"
    >
      {isBehind && (
        <Button
          icon={<RefreshCw />}
          onClick={onShow}
          className="pointer-events-auto animate-appear rounded-full bg-overlay shadow-e1"
        >
          The list has changed: show it
        </Button>
      )}
    </div>
  );
}
