/**
 * Copies the event stream into a file, one JSON object per line. No event is lost when the connection breaks, the service
 * restarts, or this program stops. Run the program again to resume after the last line of the file.
 *
 *   GAME_DATA_URL=https://api.example.com node examples/durable-stream.ts events.jsonl [--types challenge,mod_release] [--until TEXT]
 *
 * `--until` stops after a line that contains TEXT. Environment: GAME_DATA_URL (default http://127.0.0.1:8787), GAME_DATA_TOKEN.
 */
import { open, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createClient, EventStreamError, type Schema } from 'game-data-api';

const { GAME_DATA_URL = 'http://127.0.0.1:8787', GAME_DATA_TOKEN } = process.env;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { types: { type: 'string' }, until: { type: 'string' } },
});
const [file] = positionals;
if (file === undefined) {
  console.error('usage: durable-stream.ts FILE [--types A,B] [--until TEXT]');
  process.exit(2);
}

/** Id of the last complete line, and the length up to its end. A line truncated by a crash counts as not written. */
async function lastIdOf(path: string): Promise<{ lastId: string | null; length: number }> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  const last = complete.trimEnd().split('\n').at(-1) ?? '';
  return { lastId: last === '' ? null : (JSON.parse(last) as { id: string }).id, length: Buffer.byteLength(complete) };
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const api = createClient({
  baseUrl: GAME_DATA_URL,
  userAgent: 'durable-stream/1.0',
  ...(GAME_DATA_TOKEN ? { token: GAME_DATA_TOKEN } : {}),
});
const { lastId, length } = await lastIdOf(file);
const target = await open(file, 'a');
await target.truncate(length);
if (lastId !== null) console.log(`resuming after event ${lastId}`);

let lines = 0;
try {
  const events = api.events({
    signal: stop.signal,
    maxDelayMs: 5000,
    onGap: () => console.error('missed events older than the log of the service are lost'),
    ...(values.types ? { types: values.types.split(',') as Schema<'StreamEventType'>[] } : {}),
    ...(lastId === null ? {} : { lastEventId: lastId }),
  });
  for await (const event of events) {
    const line = `${JSON.stringify(event)}\n`;
    await target.appendFile(line);
    // Flush each line to disk before the next event, so that the file has each event exactly once.
    await target.datasync();
    lines += 1;
    if (values.until !== undefined && line.includes(values.until)) break;
  }
} catch (error) {
  if (!(error instanceof EventStreamError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await target.close();
  console.log(`${lines} events written to ${file}`);
}
