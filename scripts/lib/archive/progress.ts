import type { BulkProgress } from './bulk-sync.ts';

const MIB = 1024 * 1024;
const LINE_MS = 5000;

export interface ProgressPrinter {
  scan(progress: { files: number; bytes: number }): void;
  store(progress: BulkProgress): void;
}

/**
 * Writes a line for the first stored files, then at most every five seconds, with the remaining time of the plan. `onProgress` runs for
 * every file.
 */
export function createProgressPrinter(
  write: (line: string) => void,
  now: () => number = () => performance.now(),
  onProgress: () => void = () => {},
): ProgressPrinter {
  let printedAt = now();
  let startedAt: number | null = null;
  const isDue = () => {
    if (now() - printedAt < LINE_MS) return false;
    printedAt = now();
    return true;
  };
  return {
    scan({ files, bytes }) {
      onProgress();
      if (isDue()) write(`read: ${describe(files, bytes)}`);
    },
    store({ done, total, files, bytes }) {
      onProgress();
      const isFirst = startedAt === null;
      startedAt ??= now();
      if (!isDue() && !isFirst && done < total) return;
      const percent = Math.floor((100 * done) / Math.max(1, total));
      const seconds = done === 0 ? null : Math.ceil(((now() - startedAt) * (total - done)) / done / 1000);
      const rest = done >= total ? '' : seconds === null ? '' : `, ${describeSeconds(seconds)} left`;
      write(`${String(percent).padStart(3)} %: ${describe(files, bytes)}${rest}`);
    },
  };
}

function describe(files: number, bytes: number): string {
  return `${files} files, ${(bytes / MIB).toFixed(1)} MiB`;
}

function describeSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
