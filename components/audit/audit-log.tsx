"use client";

import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { ChainSheet } from "./chain-sheet.tsx";
import { Feed } from "./feed/feed.tsx";
import { ExportMenu } from "./filters/export-menu.tsx";
import { FilterBar } from "./filters/filter-bar.tsx";
import { useAuditUrl } from "./filters/use-audit-url.ts";

/** The audit log, with undo. */
export function AuditLog() {
  const [url, change] = useAuditUrl();
  const [isChecking, setIsChecking] = useState(false);
  return (
    <>
      <PageHeader
        title="Audit"
        facts="Every change, its author and its reason. Each record is sealed to the one before it."
        actions={
          <>
            <Button icon={<ShieldCheck />} onClick={() => setIsChecking(true)}>
              Verify the log
            </Button>
            <ExportMenu url={url} />
          </>
        }
      />
      <FilterBar url={url} onChange={change} />
      <Feed url={url} onChange={change} />
      {isChecking && <ChainSheet onClose={() => setIsChecking(false)} />}
    </>
  );
}
