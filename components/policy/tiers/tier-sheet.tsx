"use client";

import { Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Sheet } from "@/components/ui/sheet.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { FormScopeProvider } from "../rules/form-scope.tsx";
import { LevelsFields } from "../rules/levels-fields.tsx";

interface TierSheetProps {
  editor: PolicyEditor;
  name: string;
  onClose: () => void;
}

/** Levels of one tier. The name is fixed, because customers refer to it. */
export function TierSheet({ editor, name, onClose }: TierSheetProps) {
  if (!Object.hasOwn(editor.draft.policy.tiers, name)) return null;
  const mayEdit = editor.mayChange && !editor.standing.isLocked;
  const remove = () => {
    editor.edit(({ tiers, defaultTier, ...rest }) => ({
      ...rest,
      rules: rest.rules,
      tiers: Object.fromEntries(Object.entries(tiers).filter(([other]) => other !== name)),
      ...(defaultTier !== undefined && defaultTier !== name && { defaultTier }),
    }));
    onClose();
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={
        <>
          Tier <Untrusted text={name} max={32} className="font-mono" />
        </>
      }
      description="All levels count each customer of this tier."
      footer={
        <>
          {mayEdit && (
            <Button variant="danger" size="lg" icon={<Trash2 />} onClick={remove} className="mr-auto">
              Remove tier
            </Button>
          )}
          <Button variant="primary" size="lg" onClick={onClose}>
            {mayEdit ? "Done" : "Close"}
          </Button>
        </>
      }
    >
      <FormScopeProvider editor={editor} root={["tiers", name]}>
        <LevelsFields isRate={false} />
      </FormScopeProvider>
    </Sheet>
  );
}
