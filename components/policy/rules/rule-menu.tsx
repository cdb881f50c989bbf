"use client";

import { Copy, Pencil, Ruler, Trash2 } from "lucide-react";
import { Menu, type MenuItem } from "@/components/ui/menu.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { findableIn, findKey } from "../finder/finder.ts";
import { usePolicyUrl } from "../policy-url.ts";
import type { RuleRowProps } from "./rule-row.tsx";
import { nameOf } from "./rule-words.ts";
import { duplicated, inserted, removed } from "./rules.ts";

export function RuleMenu({ editor, rule, place, mayEdit, onOpen }: RuleRowProps) {
  const [, change] = usePolicyUrl();
  const toast = useToast();
  const name = nameOf(rule, place);
  const found = findableIn(editor.draft.policy).find((one) => one.place === place);
  const remove = () => {
    editor.edit((policy) => removed(policy, place));
    const undo = () => editor.edit((policy) => inserted(policy, place, rule));
    toast({ tone: "plain", title: `${name} removed from the draft`, undo: { label: "Undo", run: undo } });
  };
  const find = () => {
    if (found) change({ find: findKey(found) });
    document.getElementById("find-limit")?.scrollIntoView({ block: "start" });
  };
  const items: MenuItem[] = [
    { label: mayEdit ? "Edit" : "View", icon: <Pencil />, onSelect: () => onOpen(place) },
  ];
  if (found) items.push({ label: "Find limit", icon: <Ruler />, onSelect: find });
  if (mayEdit)
    items.push(
      {
        label: "Duplicate",
        icon: <Copy />,
        onSelect: () => editor.edit((policy) => duplicated(policy, place)),
      },
      { label: "Remove", icon: <Trash2 />, onSelect: remove, isDanger: true },
    );
  return <Menu label={`Actions for ${name}`} items={items} />;
}
