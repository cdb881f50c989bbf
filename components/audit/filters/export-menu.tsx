"use client";

import { ChevronDown, Download, FileSpreadsheet, Stamp } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import { auditExportPath } from "@/lib/queries/audit.ts";
import { type AuditUrl, filterAt, filterCount } from "./audit-url.ts";

/** Exports the filtered records. */
export function ExportMenu({ url }: { url: AuditUrl }) {
  // The browser saves what it gets, and stays on the page.
  const save = (format: "csv" | "jsonl") =>
    window.location.assign(auditExportPath(filterAt(url, Date.now()), format));
  const what = filterCount(url) > 0 ? "the filtered records" : "the whole log";
  return (
    <Menu
      label="Export"
      trigger={
        <Button icon={<Download />}>
          Export
          <ChevronDown className="size-3.5 text-text-3" />
        </Button>
      }
      items={[
        {
          label: "CSV",
          icon: <FileSpreadsheet />,
          hint: `For spreadsheets: ${what}, a line for each target`,
          onSelect: () => save("csv"),
        },
        {
          label: "JSON lines with seals",
          icon: <Stamp />,
          hint: `For archives: ${what}, with seals`,
          onSelect: () => save("jsonl"),
        },
      ]}
    />
  );
}
