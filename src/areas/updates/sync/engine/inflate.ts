import { constants, createInflate } from 'node:zlib';

const OUTPUT_BYTES = 65_536;

/**
 * Inflates a zlib stream as it comes, never more than a chunk ahead of its reader. A stream that ends without a final
 * block gives what it has, bytes after the final block are ignored; anything that is no zlib stream throws.
 * Stopping early stops the input too.
 */
export async function* inflated(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const inflate = createInflate({ chunkSize: OUTPUT_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  const feeding = feed(inflate, input);
  // A fault of the input ends the reading below with the same error.
  feeding.catch((error: unknown) => inflate.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const chunk of inflate) yield chunk as Uint8Array;
    inflate.destroy();
    await feeding;
  } finally {
    inflate.destroy();
  }
}

/** Writes the input with backpressure and stops when the reader cancels. */
async function feed(inflate: ReturnType<typeof createInflate>, input: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of input) {
    if (inflate.destroyed) return;
    if (!inflate.write(chunk)) await roomIn(inflate);
    if (inflate.destroyed) return;
  }
  inflate.end();
}

function roomIn(inflate: ReturnType<typeof createInflate>): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      inflate.off('drain', go).off('close', go).off('end', go);
      resolve();
    };
    inflate.once('drain', go).once('close', go).once('end', go);
    if (inflate.destroyed) go();
  });
}
