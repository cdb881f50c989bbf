"use client";

import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { ChainSheet } from "../_chain/chain-sheet.tsx";
import { ExportMenu } from "../_filters/export-menu.tsx";
import { FilterBar } from "../_filters/filter-bar.tsx";
import { useAuditUrl } from "../_filters/use-audit-url.ts";
import { Feed } from "./feed.tsx";
import type { FirstPage } from "./use-feed.ts";

/** Who did what, and taking it back. */
export function AuditLog({ first }: { first?: FirstPage | undefined }) {
  const [url, change] = useAuditUrl();
  const [isChecking, setIsChecking] = useState(false);
  return (
    <>
      <PageHeader
        title="Audit"
        facts="Every change, who made it and why. Each record is sealed to the one before it."
        actions={
          <>
            <Button icon={<ShieldCheck />} onClick={() => setIsChecking(true)}>
              Check the log
            </Button>
            <ExportMenu url={url} />
          </>
        }
      />
      <FilterBar url={url} onChange={change} />
      <Feed url={url} onChange={change} first={first} />
      {isChecking && <ChainSheet onClose={() => setIsChecking(false)} />}
    </>
  );
}
