"use client";

import { useState } from "react";
import { add } from "./actions";

/** Shows what Sluice answers to a denied action: the message of the error that the action throws. */
export function AddButton() {
  const [says, setSays] = useState("");
  async function click(): Promise<void> {
    try {
      await add();
      setSays("Added.");
    } catch (error) {
      setSays(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <>
      <button type="button" onClick={() => void click()}>
        Add
      </button>
      <p role="status">{says}</p>
    </>
  );
}
