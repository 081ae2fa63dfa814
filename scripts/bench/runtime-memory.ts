import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const SAMPLE_MILLISECONDS = 20;
const KIB_PER_MIB = 1024;
/** Of Linux, and places in `/proc/<pid>/stat` after the name. */
const TICKS_PER_SECOND = 100;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

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
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
  return Number(kib) / KIB_PER_MIB;
}

/** Processor time of a process in seconds: unlike the time on the wall it does not depend on what else the machine does. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
}

/** Processor time that the runtime started last takes for some work, in seconds. */
export async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const pid = newestRuntime();
  const before = processorSeconds(pid);
  await work();
  return processorSeconds(pid) - before;
}

function newestRuntime(): number {
  const pid = runtimes().at(-1);
  if (pid === undefined) throw new Error('the process of the runtime was not found');
  return pid;
}

/** Watches the runtime that was started last. */
export function watchMemory(): { before: number; stop(): number } {
  const pid = newestRuntime();
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
