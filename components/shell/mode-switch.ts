"use client";

import { createContext, use } from "react";

/** Opens the dialog that switches the mode. The app provides it, because writing is the app's. */
export const ModeSwitchContext = createContext<() => void>(() => {});

export const useModeSwitch = (): (() => void) => use(ModeSwitchContext);
