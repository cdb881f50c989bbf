import {
  Hand,
  Link2,
  LogIn,
  NotebookPen,
  Pencil,
  Rss,
  Shield,
  SlidersHorizontal,
  TriangleAlert,
  Undo2,
  UserCog,
  Users,
} from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes.ts";
import { toneText } from "@/components/ui/tone.ts";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import type { Row } from "./days.ts";

const abouts: Readonly<Record<string, ReactNode>> = {
  blocklist: toneIcon("blocked"),
  safelist: toneIcon("safelisted"),
  "never-block": <Shield />,
  feed: <Rss />,
  customer: <Users />,
  policy: <SlidersHorizontal />,
  note: <NotebookPen />,
  link: <Link2 />,
  user: <UserCog />,
};

/** What a row is about, by its shape; colour is for verdicts alone. */
export function RowIcon({ row }: { row: Row }) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        "grid size-6 shrink-0 place-items-center rounded-full border [&_.lucide]:size-3.5",
        row.look === "refused" ? "border-dashed border-control" : "border-border-2",
        colourOf(row),
      )}
    >
      {iconOf(row)}
    </span>
  );
}

function iconOf(row: Row): ReactNode {
  if (row.look === "damaged") return <TriangleAlert />;
  if (row.look === "refused") return <Hand />;
  if (row.look === "undo") return <Undo2 />;
  if (row.look === "sign-in") return <LogIn />;
  return Object.hasOwn(abouts, row.about) ? abouts[row.about] : <Pencil />;
}

function colourOf(row: Row): string {
  if (row.look === "damaged") return toneText.blocked;
  return row.tone === "plain" ? "text-text-3" : toneText[row.tone];
}
