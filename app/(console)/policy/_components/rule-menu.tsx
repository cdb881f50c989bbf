"use client";

import { Copy, Pencil, Ruler, Trash2 } from "lucide-react";
import { Menu, type MenuItem } from "../../../../components/ui/menu.tsx";
import { useToast } from "../../../../components/ui/toast.tsx";
import { nameOf } from "../_draft/rule-words.ts";
import { duplicated, inserted, removed } from "../_draft/rules.ts";
import { usePolicyUrl } from "../_draft/use-policy-url.ts";
import { findableIn, findKey } from "../_find/finder.ts";
import type { RuleRowProps } from "./rule-row.tsx";

export function RuleMenu({ editor, rule, place, mayEdit, onOpen }: RuleRowProps) {
  const [, change] = usePolicyUrl();
  const toast = useToast();
  const name = nameOf(rule, place);
  const found = findableIn(editor.draft.policy).find((one) => one.place === place);
  const remove = () => {
    editor.edit((policy) => removed(policy, place));
    const undo = () => editor.edit((policy) => inserted(policy, place, rule));
    toast({ tone: "plain", title: `${name} is out of the draft`, undo: { label: "Undo", run: undo } });
  };
  const find = () => {
    if (found) change({ find: findKey(found) });
    document.getElementById("find-limit")?.scrollIntoView({ block: "start" });
  };
  const items: MenuItem[] = [
    { label: mayEdit ? "Edit" : "Look at it", icon: <Pencil />, onSelect: () => onOpen(place) },
  ];
  if (found) items.push({ label: "Find its limit", icon: <Ruler />, onSelect: find });
  if (mayEdit)
    items.push(
      {
        label: "Duplicate",
        icon: <Copy />,
        onSelect: () => editor.edit((policy) => duplicated(policy, place)),
      },
      { label: "Remove", icon: <Trash2 />, onSelect: remove, isDanger: true },
    );
  return <Menu label={`More for ${name}`} items={items} />;
}
