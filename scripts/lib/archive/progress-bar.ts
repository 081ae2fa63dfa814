import type { BulkProgress } from './bulk-sync.ts';

const WIDTH = 30;
const EVERY_MS = 100;
const LINE_EVERY_PERCENT = 10;
const MIB = 1024 * 1024;

export interface ProgressBar {
  show(progress: BulkProgress): void;
  end(): void;
}

/** A progress bar on a terminal; occasional lines elsewhere. */
export function createProgressBar(stream: NodeJS.WriteStream, startedAt = performance.now()): ProgressBar {
  let drawnAt = 0;
  let linedAt = -1;
  let isDrawn = false;

  return {
    show(progress) {
      const share = progress.total === 0 ? 0 : progress.done / progress.total;
      const line = `${barOf(share)} ${textOf(progress, (performance.now() - startedAt) / 1000)}`;
      if (stream.isTTY) {
        if (performance.now() - drawnAt < EVERY_MS && share < 1) return;
        drawnAt = performance.now();
        isDrawn = true;
        stream.write(`\r${line}\u001b[K`);
        return;
      }
      const percent = Math.floor((share * 100) / LINE_EVERY_PERCENT);
      if (percent === linedAt) return;
      linedAt = percent;
      stream.write(`${line}\n`);
    },

    end() {
      if (isDrawn) stream.write('\n');
    },
  };
}

function barOf(share: number): string {
  const full = Math.round(share * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
}

function textOf({ files, bytes }: BulkProgress, seconds: number): string {
  const perSecond = seconds > 0 ? Math.round(files / seconds) : 0;
  return `${files} files, ${(bytes / MIB).toFixed(1)} MiB, ${perSecond} files/s`;
}
