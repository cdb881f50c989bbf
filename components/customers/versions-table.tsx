import { TableFrame } from "@/components/ui/data-table.tsx";
import { useNow } from "@/components/ui/now.ts";
import { utcText } from "@/components/ui/value-text.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { sayLevel, sayTier } from "./customer-words.ts";
import { type Draft, draftOf, readOwn, rebased } from "./draft/draft.ts";
import { momentOf } from "./draft/ends.ts";
import { keptEnd } from "./draft/save.ts";
import type { Editor } from "./draft/use-editor.ts";

interface Version {
  readonly title: string;
  readonly tier: string;
  readonly levels: string;
  readonly ends: string;
}

const parts = [
  ["Tier", "tier"],
  ["Custom throttle", "levels"],
  ["Ends", "ends"],
] as const;

const cell = "border-b border-border px-3 py-2 max-sm:px-2 text-left align-top text-cell wrap-anywhere";

/** Version at the start of the edit, current version, and the current version with the editor's changes. */
export function VersionsTable({ editor: { base, now, draft } }: { editor: Editor }) {
  const ms = useNow();
  const versions = [
    versionOf("When you began", draftOf(base), base, ms),
    versionOf("Theirs, in force now", draftOf(now), now, ms),
    versionOf("Yours, applied to theirs", rebased(draft, base, now), now, ms),
  ];
  return (
    <TableFrame
      label="Versions"
      className="rounded-control! max-sm:[&_table]:table-fixed [&_tbody>tr:last-child>*]:border-b-0"
    >
      <thead>
        <tr>
          <td className={cell} />
          {versions.map(({ title }) => (
            <th key={title} scope="col" className={`${cell} font-medium text-text-2`}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {parts.map(([name, part]) => (
          <tr key={part}>
            <th scope="row" className={`${cell} font-normal text-text-2`}>
              {name}
            </th>
            {versions.map((version, i) => (
              <td
                key={version.title}
                className={`${cell} ${i > 0 && version[part] !== versions[0]?.[part] ? "font-semibold" : ""}`}
              >
                {version[part]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function versionOf(title: string, draft: Draft, base: CustomerNow, now: number): Version {
  const own = readOwn(draft);
  const levels = own === null ? "none" : (own.levels?.map(sayLevel).join(", ") ?? "not finished");
  const moment = own === null ? undefined : momentOf(draft.ends, now, keptEnd(base));
  const ends = typeof moment === "number" ? utcText(moment) : own === null ? "–" : "never";
  return { title, tier: sayTier(draft.tier), levels, ends };
}
