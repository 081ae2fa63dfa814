import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SAMPLE_MILLISECONDS = 20;
const KIB_PER_MIB = 1024;

/** Process ids of the runtimes that this process has started. */
function runtimes(): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, command = ''] = line.trim().split(/\s+/);
    return Number(parent) === process.pid && command.includes('workerd') ? [Number(pid)] : [];
  });
}

/** Resident memory in MiB. It holds the stand-ins of database and object storage too, so it is more than the Worker needs. */
function residentMemory(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / KIB_PER_MIB;
}

/** Watches the runtime that was started last. */
export function watchMemory(): { before: number; stop(): number } {
  const pid = runtimes().at(-1);
  if (pid === undefined) throw new Error('the process of the runtime was not found');
  const before = residentMemory(pid);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMemory(pid));
  }, SAMPLE_MILLISECONDS);
  return {
    before,
    stop() {
      clearInterval(timer);
      return Math.max(peak, residentMemory(pid));
    },
  };
}
