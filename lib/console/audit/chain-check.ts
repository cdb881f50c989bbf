import { z } from "zod";
import type { Console } from "../console.ts";
import { read } from "../read.ts";
import { theAuditEnd } from "./audit-end.ts";
import { SharedCheck } from "./shared-check.ts";

const shared = new SharedCheck();

/** Lines of JSON: how far the check has come, and at last what it found. */
export const getChainCheck = read("read", z.object({}), async ({ console }) => {
  return new Response(linesOf(console), {
    headers: {
      "content-type": "application/jsonl; charset=utf-8",
      // A proxy that compresses would hold lines back.
      "cache-control": "no-store, no-transform",
    },
  });
});

function linesOf(console: Console): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let leave = () => {};
  return new ReadableStream({
    start(controller) {
      leave = shared.watch({ ...console, seen: theAuditEnd().seen }, (line, isLast) => {
        controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
        if (isLast) controller.close();
      });
    },
    cancel: () => leave(),
  });
}
