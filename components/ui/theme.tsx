"use client";

import { createContext, type ReactNode, use, useCallback, useMemo, useState } from "react";
import { rememberChoice, type Theme, themeCookie } from "./look-choices.ts";

interface ThemeChoice {
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
}

const ThemeContext = createContext<ThemeChoice>({ theme: "system", setTheme: () => {} });

export const useTheme = (): ThemeChoice => use(ThemeContext);

/** The server reads the choice from the cookie, so that no other theme shows first. */
export function ThemeProvider({ chosen, children }: { chosen: Theme; children: ReactNode }) {
  const [theme, setChosen] = useState(chosen);
  const setTheme = useCallback((next: Theme) => {
    setChosen(next);
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    rememberChoice(themeCookie, next);
  }, []);
  const choice = useMemo(() => ({ theme, setTheme }), [theme, setTheme]);
  return <ThemeContext value={choice}>{children}</ThemeContext>;
}
