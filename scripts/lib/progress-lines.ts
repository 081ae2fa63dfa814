/** Silence before the first line; it doubles with each line up to the maximum. */
const FIRST_SILENCE_MS = 3000;
const MAX_SILENCE_MS = 60_000;
const CHECK_MS = 500;

type Output = Pick<NodeJS.WriteStream, 'write'>;

/**
 * Writes `still running, 12 s` to `target` whenever nothing was written to `watched` for a while: 3, 6, 12, … seconds. Whole lines, because
 * child processes may write to the same terminal. Returns a function that ends it. Does not keep the process alive.
 */
export function startProgress(watched: readonly Output[], target: Output): () => void {
  const startedAt = performance.now();
  let lastAt = startedAt;
  let silenceMs = FIRST_SILENCE_MS;
  const originals = watched.map((stream) => ({ stream, write: stream.write }));
  const writeLine = target.write.bind(target);
  for (const { stream, write } of originals) {
    stream.write = ((...values: Parameters<Output['write']>) => {
      lastAt = performance.now();
      silenceMs = FIRST_SILENCE_MS;
      return write.apply(stream, values);
    }) as Output['write'];
  }
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - lastAt < silenceMs) return;
    lastAt = now;
    silenceMs = Math.min(2 * silenceMs, MAX_SILENCE_MS);
    writeLine(`still running, ${Math.round((now - startedAt) / 1000)} s\n`);
  }, CHECK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const { stream, write } of originals) stream.write = write;
  };
}
