"use client";

import { createContext, type ReactNode, use, useCallback, useMemo, useState } from "react";
import { type Theme, themeCookie } from "./theme-choice.ts";

interface ThemeChoice {
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
}

const ThemeContext = createContext<ThemeChoice>({ theme: "system", setTheme: () => {} });

export const useTheme = (): ThemeChoice => use(ThemeContext);

const oneYearSeconds = 31_536_000;

/** The server reads the choice from the cookie, so that no other theme shows first. */
export function ThemeProvider({ chosen, children }: { chosen: Theme; children: ReactNode }) {
  const [theme, setChosen] = useState(chosen);
  const setTheme = useCallback((next: Theme) => {
    setChosen(next);
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing over plain http.
    document.cookie = `${themeCookie}=${next}; path=/; max-age=${oneYearSeconds}; samesite=lax`;
  }, []);
  const choice = useMemo(() => ({ theme, setTheme }), [theme, setTheme]);
  return <ThemeContext value={choice}>{children}</ThemeContext>;
}
