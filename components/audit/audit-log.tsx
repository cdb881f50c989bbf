"use client";

import { FileSpreadsheet, ShieldCheck, Stamp } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { ExportMenu } from "@/components/console/export-menu.tsx";
import { Button } from "@/components/ui/button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { auditExportPath } from "@/lib/queries/audit.ts";
import { ChainSheet } from "./chain-sheet.tsx";
import { Feed } from "./feed/feed.tsx";
import {
  type AuditUrl,
  type ChangeUrl,
  filterAt,
  filterCount,
  readAuditUrl,
  writeAuditUrl,
} from "./filters/audit-url.ts";
import { FilterBar } from "./filters/filter-bar.tsx";

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
            <ExportMenu formats={exportsOf(url)} />
          </>
        }
      />
      <FilterBar url={url} onChange={change} />
      <Feed url={url} onChange={change} />
      {isChecking && <ChainSheet onClose={() => setIsChecking(false)} />}
    </>
  );
}

function exportsOf(url: AuditUrl) {
  const path = (format: "csv" | "jsonl") => () => auditExportPath(filterAt(url, Date.now()), format);
  const what = filterCount(url) > 0 ? "the filtered records" : "the whole log";
  return [
    {
      label: "CSV",
      icon: <FileSpreadsheet />,
      hint: `For spreadsheets: ${what}, a line for each target`,
      path: path("csv"),
    },
    {
      label: "JSON lines with seals",
      icon: <Stamp />,
      hint: `For archives: ${what}, with seals`,
      path: path("jsonl"),
    },
  ];
}

/** State of the address bar, changed without reloading the page from the server. */
function useAuditUrl(): readonly [AuditUrl, ChangeUrl] {
  const pathname = usePathname();
  const search = useSearchParams();
  const url = useMemo(() => readAuditUrl(search), [search]);
  const change = useCallback<ChangeUrl>(
    (part, isTyped = false) => {
      // A new filter searches from the newest record on.
      const path = `${pathname}${writeAuditUrl({ ...url, record: "", ...part })}`;
      // Back leads to the filter before this one, not through every letter.
      if (isTyped) window.history.replaceState(null, "", path);
      else window.history.pushState(null, "", path);
    },
    [pathname, url],
  );
  return [url, change];
}
