import { beginFairTurn } from "./fair-turns.ts";

const types = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" } as const;

/** A file to download: `sluice-<name>-<day>.<format>`. */
export async function download(
  whose: string,
  pieces: AsyncGenerator<string>,
  { name, format }: { readonly name: string; readonly format: keyof typeof types },
): Promise<Response> {
  const day = new Date().toISOString().slice(0, 10);
  return new Response(await exportStream(whose, pieces), {
    headers: {
      "content-type": types[format],
      "content-disposition": `attachment; filename="sluice-${name}-${day}.${format}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

/**
 * Text to download: read only as fast as it is taken, and no further once the browser has left.
 * @throws what prevents the first piece, before anything is sent
 */
export async function exportStream(
  whose: string,
  pieces: AsyncGenerator<string>,
): Promise<ReadableStream<Uint8Array>> {
  const end = await beginFairTurn("export", whose);
  const failed = (error: unknown): never => {
    end();
    throw error;
  };
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | undefined = Promise.resolve(await pieces.next().catch(failed));
  return new ReadableStream({
    async pull(controller) {
      const piece = await (next ?? pieces.next().catch(failed));
      next = undefined;
      if (!piece.done) return controller.enqueue(encoder.encode(piece.value));
      end();
      controller.close();
    },
    async cancel() {
      end();
      await pieces.return(undefined);
    },
  });
}
