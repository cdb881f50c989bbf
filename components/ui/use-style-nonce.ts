"use client";

import { setNonce } from "get-nonce";
import { useState } from "react";

/**
 * Dialogs lock scrolling by a style element, which the content policy lets pass by its nonce. The policy stays that of
 * the document, so the first nonce stays too, even when a refresh brings another.
 */
export function useStyleNonce(nonce: string | undefined): void {
  useState(() => {
    if (nonce && typeof window !== "undefined") setNonce(nonce);
  });
}
