"use client";

import { createContext, type ReactNode, use, useState } from "react";
import { type Path, pathText, valueAt } from "../draft/document.ts";
import { withPlace } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";

interface FormScope {
  readonly editor: PolicyEditor;
  readonly root: Path;
}

const ScopeContext = createContext<FormScope | undefined>(undefined);

/** The part of the draft that the fields inside edit: a rule, a tier. */
export function FormScopeProvider({ editor, root, children }: FormScope & { children: ReactNode }) {
  return <ScopeContext value={{ editor, root }}>{children}</ScopeContext>;
}

function useScope(): FormScope {
  const scope = use(ScopeContext);
  if (!scope) throw new Error("fields of a policy work inside of FormScopeProvider");
  return scope;
}

/** The editor whose draft the fields inside change. */
export const useEditor = (): PolicyEditor => useScope().editor;

/** One place of the draft and its problem. With `isWhole`, also a problem below it. */
export function usePlace(path: Path, isWhole = false) {
  const { editor, root } = useScope();
  const whole = [...root, ...path];
  const name = pathText(whole);
  const isHere = (place: string) =>
    place === name || (isWhole && (place.startsWith(`${name}.`) || place.startsWith(`${name}[`)));
  return {
    value: valueAt(editor.draft.policy, whole),
    /** Sets the field. `undefined` removes it. */
    put: (value: unknown) => editor.edit((policy) => withPlace(policy, whole, value)),
    problem: editor.standing.problems.find(({ path: place }) => isHere(place))?.message,
    isReadOnly: !editor.mayEdit,
  };
}

/** Keeps text as typed while it has the value that the draft holds, such as "0." before "0.5". */
export function useTyped(value: unknown, parse: (text: string) => unknown, show: (value: unknown) => string) {
  const [typed, setTyped] = useState<string | null>(null);
  const isMeant = typed !== null && JSON.stringify(parse(typed)) === JSON.stringify(value);
  return [isMeant ? typed : show(value), setTyped] as const;
}
