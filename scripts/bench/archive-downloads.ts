import type { Miniflare } from 'miniflare';
import { BRANCHES } from '../../src/game/branches.data.ts';
import { CDN_PREFIX, startCdn } from '../../test/support/archive/cdn.ts';
import { startBundle } from '../lib/bundle.ts';
import { median } from '../lib/measure/quantiles.ts';
import { BRANCH, enableArchiver, oneArchive, syncOnce } from './archive-service.ts';
import { startBareRuntime } from './bare-runtime.ts';
import { putLoad } from './wrk.ts';

const MIB = 1024 * 1024;
const OURS = { host: '127.0.0.1', port: 18_792 };
const BARE = { host: '127.0.0.1', port: 18_793 };
const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_SECONDS = 2;

export interface DownloadMeasure {
  /** Size of the file in bytes. */
  bytes: number;
  /** MiB per second, median of the rounds. */
  ours: number;
  /** The same for a Worker that only reads the file from a bucket. */
  bare: number;
}

/** Measures downloads of a stored file through the deployable bundle and through a plain R2 read, alternating. */
export async function measureDownloads(sizes: readonly number[]): Promise<DownloadMeasure[]> {
  const cdn = await startCdn();
  const vars = {
    ...{ ENVIRONMENT: 'development', LOG_SAMPLE: '0', RATE_LIMIT_MULTIPLIER: '1000000' },
    ...{ UPDATES_SOURCE_BASE: cdn.origin, UPDATES_SOURCE_PREFIX: CDN_PREFIX },
  };
  const bundle = await startBundle({ vars, withoutAssets: true, directSocket: OURS });
  try {
    await enableArchiver(bundle);
    const results: DownloadMeasure[] = [];
    for (const [index, bytes] of sizes.entries()) {
      cdn.publish(BRANCHES[BRANCH].pointerFile, oneArchive(`SIZE-${bytes}`, bytes, 1));
      await syncOnce(bundle, index + 1);
      results.push(await measure(bytes, await bundle.mintToken()));
    }
    return results;
  } finally {
    await bundle.dispose();
    await cdn.stop();
  }
}

async function measure(bytes: number, token: string): Promise<DownloadMeasure> {
  const headers = { Authorization: `Bearer ${token}`, 'CF-Connecting-IP': '203.0.113.7' };
  const url = `http://${OURS.host}:${OURS.port}/v1/updates/${BRANCH}/file?path=large/file_0.bin`;
  const bare = await startBareBucket(await contentOf(url, headers, bytes));
  const bareUrl = `http://${BARE.host}:${BARE.port}/`;
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  try {
    for (const address of [url, bareUrl]) await putLoad({ headers, url: address, seconds: WARM_UP_SECONDS });
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.bare.push(await rateOf(bareUrl, headers, bytes));
      rates.ours.push(await rateOf(url, headers, bytes));
    }
  } finally {
    await bare.dispose();
  }
  return { bytes, ours: median(rates.ours), bare: median(rates.bare) };
}

/** Waits until the service has the version with the file, then downloads the file. */
async function contentOf(url: string, headers: Readonly<Record<string, string>>, bytes: number): Promise<ArrayBuffer> {
  for (let tries = 0; tries < 100; tries += 1) {
    const content = await (await fetch(url, { headers })).arrayBuffer();
    if (content.byteLength === bytes) return content;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('timed out waiting for the file');
}

async function rateOf(url: string, headers: Readonly<Record<string, string>>, bytes: number): Promise<number> {
  const { requestsPerSecond, errors } = await putLoad({ headers, url, seconds: SECONDS });
  if (errors > 0) throw new Error(`${url}: ${errors} errors`);
  return (requestsPerSecond * bytes) / MIB;
}

/** A Worker that returns a file from a bucket. */
async function startBareBucket(content: ArrayBuffer): Promise<Miniflare> {
  const script = "export default { async fetch(_, env) { const { body } = await env.BUCKET.get('file'); return new Response(body); } };";
  const mf = await startBareRuntime(script, BARE, { r2Buckets: ['BUCKET'] });
  const bucket = await mf.getR2Bucket('BUCKET');
  await bucket.put('file', content);
  return mf;
}
