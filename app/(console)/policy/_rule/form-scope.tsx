"use client";

import { createContext, type ReactNode, use, useState } from "react";
import { type Path, pathText, valueAt, withValue } from "../_draft/document.ts";
import { isFormPolicy } from "../_draft/draft.ts";
import type { PolicyEditor } from "../_draft/use-policy.ts";

interface FormScope {
  readonly editor: PolicyEditor;
  readonly root: Path;
}

const ScopeContext = createContext<FormScope | undefined>(undefined);

/** The part of the draft that the fields inside are about: a rule, a tier. */
export function FormScopeProvider({ editor, root, children }: FormScope & { children: ReactNode }) {
  return <ScopeContext value={{ editor, root }}>{children}</ScopeContext>;
}

export interface Place {
  readonly value: unknown;
  /** Nothing (`undefined`) takes the field away. */
  put(value: unknown): void;
  readonly problem: string | undefined;
  readonly isReadOnly: boolean;
}

/** One place of the draft, with what is wrong there. `isWhole`: or anywhere below it. */
export function usePlace(path: Path, isWhole = false): Place {
  const scope = use(ScopeContext);
  if (!scope) throw new Error("usePlace works inside of FormScopeProvider");
  const { editor, root } = scope;
  const whole = [...root, ...path];
  const name = pathText(whole);
  const isHere = (place: string) =>
    place === name || (isWhole && (place.startsWith(`${name}.`) || place.startsWith(`${name}[`)));
  return {
    value: valueAt(editor.draft.policy, whole),
    put: (value) =>
      editor.edit((policy) => {
        const next = withValue(policy, whole, value);
        return isFormPolicy(next) ? next : policy;
      }),
    problem: editor.standing.problems.find(({ path: place }) => isHere(place))?.message,
    isReadOnly: !editor.mayChange || editor.standing.isLocked,
  };
}

/** Text stays as it is typed while it means what the draft holds: "0." on the way to "0.5". */
export function useTyped(value: unknown, parse: (text: string) => unknown, show: (value: unknown) => string) {
  const [typed, setTyped] = useState<string | null>(null);
  const isMeant = typed !== null && JSON.stringify(parse(typed)) === JSON.stringify(value);
  return [isMeant ? typed : show(value), setTyped] as const;
}
