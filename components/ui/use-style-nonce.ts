"use client";

import { setNonce } from "get-nonce";
import { useState } from "react";

/**
 * Dialogs lock scrolling with a style element, which needs the nonce of the content policy. The policy is that of the
 * document, so the first nonce stays valid, even if a refresh brings another.
 */
export function useStyleNonce(nonce: string | undefined): void {
  useState(() => {
    if (nonce && typeof window !== "undefined") setNonce(nonce);
  });
}
