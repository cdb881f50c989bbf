import type { LinesPreview } from "../../manage/lists/previewed-lines.ts";
import type { LinesAsked } from "../../queries/preview.ts";
import type { Result } from "../action.ts";
import { postLinesPreview } from "./lines-preview.ts";

/** Posts the lines as the composer does. */
export async function previewLines(
  { list, ...asked }: LinesAsked,
  signal?: AbortSignal,
): Promise<Result<LinesPreview>> {
  const body = JSON.stringify(asked);
  const request = new Request(`http://console.example.org/api/lists/${list}/preview`, {
    ...{ method: "POST", body, headers: { "content-length": `${Buffer.byteLength(body)}` } },
    ...(signal && { signal }),
  });
  const response = await postLinesPreview(request, { params: Promise.resolve({ list }) });
  const answer = await response.json();
  return response.ok ? { ok: true, value: answer } : { ok: false, error: answer.error };
}
