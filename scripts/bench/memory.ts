import { readFileSync } from 'node:fs';
import { bundledInterestItems } from '../../src/areas/misc/interest-items.data.ts';
import { containerOf, deflated, packed, sampleBytes } from '../../test/support/tmod.ts';
import { startBundle } from '../lib/bundle.ts';
import { SyntheticMarket } from '../lib/dumps/market-dumps.ts';
import { runMain, UserError } from '../lib/main.ts';
import { watchIsolate } from '../lib/measure/isolate-memory.ts';
import { inRoot } from '../lib/paths.ts';

const MIB = 1024 * 1024;
/** The platform ends an isolate above this. */
const LIMIT_MIB = 128;
const ROUNDS = 3;
const SCREENSHOTS = ['sheet.png', 'sheet.jpg', 'sheet.webp'];
/** Listings of the dump: about 13 MB, near the maximum number. */
const LISTINGS = 140_000;
const PULSE_MS = 50;
const MAX_ATTEMPTS = 4;
/** Bytes that deflate compresses to about the maximum body size of 20 MiB: 24 of every 64 bytes repeat earlier ones. */
const MOD_BYTES = 30 * MIB - 64 * 1024;
const MOD_FILES = 40;
/** Part of the error of an upload that the service ended. */
const STALLED = 'the request body must not pause';
const NAME_WIDTH = 44;
const VALUE_WIDTH = 12;

interface Load {
  name: string;
  send(round: number): Promise<Response>;
}

function printRow(name: string, values: readonly (string | number)[], remark = ''): void {
  console.log(name.padEnd(NAME_WIDTH), values.map((value) => String(value).padStart(VALUE_WIDTH)).join(''), remark);
}

/** A mod whose table reverses the order of its stream, so reading it needs a decoded copy. */
function reversedMod(): Uint8Array {
  const bytes = sampleBytes(MOD_BYTES);
  const size = Math.floor(bytes.length / MOD_FILES / 4) * 4;
  const files = Array.from({ length: MOD_FILES }, (_, index) => ({
    path: `dir/file-${index}.bin`,
    content: bytes.subarray(index * size, (index + 1) * size),
  }));
  const { entries, decoded } = packed(files);
  return containerOf({ properties: [['title', 'Bench']], entries: entries.toReversed(), stream: deflated(decoded) });
}

function fileForm(name: string, type: string, content: string | Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('file', new Blob([content], { type }), name);
  return form;
}

/**
 * Sends a request, and again if it was ended because the runtime stood still: its D1 shares its only thread, and on a busy machine the
 * write of a dump takes longer than the 15 s for which the runtime waits for headers and the service for the next bytes of a body.
 */
async function sendUntilServed({ name, send }: Load, round: number): Promise<number> {
  const sendOnce = async () => {
    const response = await send(round);
    return { status: response.status, text: await response.text() };
  };
  for (let attempt = 1; ; attempt += 1) {
    const { status, text } = await sendOnce().catch((error: Error) => ({ status: 0, text: String(error.cause ?? error) }));
    if (status === 200 || status === 503) return status;
    const isEnded = status === 0 || text.includes(STALLED);
    if (!isEnded || attempt === MAX_ATTEMPTS) throw new UserError(`${name}: ${status} ${text.slice(0, 300)}`);
  }
}

/**
 * `npm run bench -- memory [--reuse]`: sends a screenshot, a drawing, a mod of 20 MB and a market dump in parallel to one isolate, and each
 * alone, and prints the largest heap, buffers and WebAssembly memory that the inspector sees. Each sample follows a garbage collection: the
 * local runtime has no limit and rarely collects. Fails above 128 MiB, or for a status other than 200 and 503.
 */
await runMain(async () => {
  const vars = { ENVIRONMENT: 'test', RATE_LIMIT_MULTIPLIER: '10000', LOG_SAMPLE: '0' };
  const bundle = await startBundle({ vars, reuseBuild: process.argv.includes('--reuse'), inspectorPort: 0 });
  try {
    await bundle.database
      .prepare("INSERT INTO setting_overrides (key, value, updated_at) VALUES ('ingest_cooldown_max', '1000000', 0)")
      .run();
    const [token, superuser] = [await bundle.mintToken(), await bundle.mintToken({ superuser: true })];
    const post = (path: string, body: FormData | Uint8Array<ArrayBuffer>, secret = token) => {
      const type: Record<string, string> = body instanceof FormData ? {} : { 'Content-Type': 'application/octet-stream' };
      return fetch(`${bundle.url}${path}`, { method: 'POST', body, headers: { Authorization: `Bearer ${secret}`, ...type } });
    };
    const reversed = reversedMod();
    const now = Math.floor(Date.now() / 1000);
    const dump = new SyntheticMarket({ seed: 7, newEachHour: LISTINGS, meanHours: 48, staples: bundledInterestItems }).nextDump(now);
    const screenshots = SCREENSHOTS.map((name) => ({
      name,
      content: new Uint8Array(readFileSync(inRoot('test', 'fixtures', 'ocr', name))),
    }));
    const screenshot: Load = {
      name: 'screenshot',
      send(round) {
        const { name, content } = screenshots[round % screenshots.length] ?? { name: '', content: new Uint8Array() };
        return post('/v1/ocr/character', fileForm(name, `image/${name.split('.')[1]?.replace('jpg', 'jpeg')}`, content));
      },
    };
    const drawing: Load = {
      name: 'drawing',
      send: (round) =>
        fetch(`${bundle.url}/v1/stats/sigil?power_rank=${30_000 + round}&mastery=${900 + round}&scale=2`, {
          headers: { Authorization: `Bearer ${token}` },
        }),
    };
    const mod: Load = {
      name: `mod of ${(reversed.length / 1e6).toFixed(0)} MB`,
      send: () => post('/v1/mods/read', reversed as Uint8Array<ArrayBuffer>),
    };
    const marketDump: Load = {
      name: `market dump of ${(dump.length / 1e6).toFixed(0)} MB`,
      send: () => post('/v1/market/insert', fileForm('market.cfg', 'text/plain', dump), superuser),
    };
    // The instances of screenshot and drawing are kept while the second mod is read.
    const cases: { name: string; loads: readonly Load[] }[] = [
      { name: marketDump.name, loads: [marketDump] },
      { name: mod.name, loads: [mod] },
      { name: screenshot.name, loads: [screenshot] },
      { name: drawing.name, loads: [drawing] },
      { name: `${mod.name}, after both`, loads: [mod] },
      { name: 'all in parallel', loads: [screenshot, drawing, mod, marketDump] },
    ];

    // The runtime collects garbage for the inspector while it serves a request. WebAssembly must not have started: later memories are tracked.
    let isDone = false;
    const pulse = async () => {
      while (!isDone) {
        // The runtime resets connections that wait while it stands still.
        await fetch(`${bundle.url}/health`).then(
          (response) => response.text(),
          () => null,
        );
        await new Promise((resolve) => setTimeout(resolve, PULSE_MS));
      }
    };
    const pulsing = pulse();
    const watch = await watchIsolate(bundle.mf, { collects: true });
    printRow('requests', ['heap', 'wasm', 'MiB', '200', '503']);
    for (const { name, loads: sent } of cases) {
      const statuses: number[] = [];
      await watch.resetPeaks();
      for (let round = 0; round < ROUNDS; round += 1)
        statuses.push(...(await Promise.all(sent.map((load) => sendUntilServed(load, round)))));
      const { heap, wasm } = await watch.resetPeaks();
      const total = (heap + wasm) / MIB;
      const count = (status: number) => statuses.filter((other) => other === status).length;
      const isMet = total <= LIMIT_MIB;
      const figures = [heap / MIB, wasm / MIB, total].map((value) => value.toFixed(1));
      printRow(name, [...figures, count(200), count(503)], isMet ? '  ok' : '  MISSED');
      if (!isMet) process.exitCode = 1;
    }
    await watch.stop();
    isDone = true;
    await pulsing;
  } finally {
    await bundle.dispose();
  }
});
