import { ChevronDown, Download } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Menu } from "@/components/ui/menu.tsx";

interface ExportFormat {
  label: string;
  hint: string;
  icon: ReactNode;
  /** Path of the file, as of when it is chosen. */
  path: () => string;
}

/** Exports what a log shows. The browser saves what it gets, and stays on the page. */
export function ExportMenu({ formats }: { formats: readonly ExportFormat[] }) {
  return (
    <Menu
      label="Export"
      trigger={
        <Button icon={<Download />}>
          Export
          <ChevronDown className="size-3.5 text-text-3" />
        </Button>
      }
      items={formats.map(({ path, ...item }) => ({
        ...item,
        onSelect: () => window.location.assign(path()),
      }))}
    />
  );
}
