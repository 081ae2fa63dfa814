import { runMain } from '../lib/main.ts';
import { measureBulkSync } from './archive-bulk.ts';
import { measureDownloads } from './archive-downloads.ts';
import { measureServiceSync } from './archive-service.ts';
import { createReport } from './report.ts';

const FILES = Number(process.env.BENCH_FILES ?? 20_000);
const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 12_000);
const ARCHIVE_MIB = Number(process.env.BENCH_ARCHIVE_MIB ?? 100);
const MIB = 1024 * 1024;
const MAX_SHARE_OF_FIRST = 0.05;
const MAX_MIB = 100;
const DOWNLOADS = [64 * 1024, 8 * MIB];
const MIN_DOWNLOAD = 0.8;

const report = createReport(52, 24);

async function reportBulkSync(): Promise<void> {
  const { files, bytes, firstSeconds, againSeconds, nextSeconds, nextChanges } = await measureBulkSync(FILES, ENTRIES);
  const rate = `${Math.round(files / firstSeconds)} files/s, ${(bytes / MIB / firstSeconds).toFixed(2)} MB/s`;
  report(`archive:sync, initial import of ${files} files`, `${firstSeconds.toFixed(1)} s, ${rate}`);
  const share = againSeconds / firstSeconds;
  report(
    'archive:sync, the same again',
    `${againSeconds.toFixed(2)} s = ${(share * 100).toFixed(2)} %`,
    'at most 5 %',
    share <= MAX_SHARE_OF_FIRST,
  );
  report(`archive:sync, a version with ${nextChanges} changes`, `${nextSeconds.toFixed(2)} s`);
}

async function reportServiceSync(): Promise<void> {
  const { seconds, peakIsolate, processGrowth, archiveBytes, files } = await measureServiceSync(ARCHIVE_MIB);
  report(`in the service: one archive of ${(archiveBytes / MIB).toFixed(0)} MiB, ${files} files`, `${seconds.toFixed(1)} s`);
  report(
    'in the service: memory of the isolate at most',
    `${peakIsolate.toFixed(0)} MiB`,
    `at most ${MAX_MIB}`,
    peakIsolate > 0 && peakIsolate <= MAX_MIB,
  );
  report('in the service: growth of the runtime, stores included', `${processGrowth.toFixed(0)} MiB`);
}

async function reportDownloads(): Promise<void> {
  for (const { bytes, ours, bare } of await measureDownloads(DOWNLOADS)) {
    const ratio = ours / bare;
    const measured = `${ours.toFixed(0)} : ${bare.toFixed(0)} MiB/s = ${ratio.toFixed(2)}`;
    // For small files the fixed cost of a request dominates.
    const isLarge = bytes >= MIB;
    report(`download of ${bytes / 1024} KiB : R2's own get`, measured, isLarge ? `at least ${MIN_DOWNLOAD}` : '', ratio >= MIN_DOWNLOAD);
  }
}

/** `npm run bench -- archive [bulk | service | downloads]`: measures both drivers of the sync, and downloads. */
await runMain(async () => {
  const selected = process.argv[2];
  const has = (part: string) => selected === undefined || selected === part;
  if (has('bulk')) await reportBulkSync();
  if (has('service')) await reportServiceSync();
  if (has('downloads')) await reportDownloads();
});
