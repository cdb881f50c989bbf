"use client";

import { Trash2 } from "lucide-react";
import { Button } from "../../../../components/ui/button.tsx";
import { Sheet } from "../../../../components/ui/sheet.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import { FormScopeProvider } from "./form-scope.tsx";
import { LevelsFields } from "./levels-fields.tsx";

interface TierSheetProps {
  editor: PolicyEditor;
  name: string;
  onClose: () => void;
}

/** One tier's levels. Its name stays: customers are given a tier by it. */
export function TierSheet({ editor, name, onClose }: TierSheetProps) {
  if (!Object.hasOwn(editor.draft.policy.tiers, name)) return null;
  const mayEdit = editor.mayChange && !editor.standing.isLocked;
  const remove = () => {
    editor.edit(({ tiers, ...rest }) => ({
      ...rest,
      rules: rest.rules,
      tiers: Object.fromEntries(Object.entries(tiers).filter(([other]) => other !== name)),
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
      description="Customers of this tier are counted by all of its levels."
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
