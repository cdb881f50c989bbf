import { beginFairTurn } from "./fair-turns.ts";

/**
 * Text as a download: read only as fast as it is taken, and no further once the browser has left.
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
