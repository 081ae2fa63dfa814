import { constants, createInflate } from 'node:zlib';

const OUTPUT_BYTES = 65_536;

/**
 * Inflates a zlib stream with backpressure, at most one chunk ahead of the reader. Accepts a stream without a final block;
 * ignores bytes after the final block; throws for any other format. If the reader stops early, the input is cancelled.
 */
export async function* inflateStream(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const inflate = createInflate({ chunkSize: OUTPUT_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  const fed = writeInput(inflate, input);
  // An input error ends the loop below with the same error.
  fed.catch((error: unknown) => inflate.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const chunk of inflate) yield chunk as Uint8Array;
    inflate.destroy();
    await fed;
  } finally {
    inflate.destroy();
  }
}

/** Writes the input with backpressure and stops when the reader cancels. */
async function writeInput(inflate: ReturnType<typeof createInflate>, input: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of input) {
    if (inflate.destroyed) return;
    if (!inflate.write(chunk)) await waitForDrain(inflate);
    if (inflate.destroyed) return;
  }
  inflate.end();
}

function waitForDrain(inflate: ReturnType<typeof createInflate>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      inflate.off('drain', done).off('close', done).off('end', done);
      resolve();
    };
    inflate.once('drain', done).once('close', done).once('end', done);
    if (inflate.destroyed) done();
  });
}
