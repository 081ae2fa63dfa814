import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of the local runtime that this process started, in bytes: now, and at its peak. Linux only; null elsewhere. */
export function runtimeMemory(): { now: number; peak: number } | null {
  const runtimes = runtimeStatuses();
  if (runtimes.length === 0) return null;
  const sum = (pick: (status: Status) => number) => runtimes.reduce((total, status) => total + pick(status), 0);
  return { now: sum(({ now }) => now), peak: sum(({ peak }) => peak) };
}

/** Processor time of that runtime, in seconds: unlike the time on the wall it does not depend on what else the machine does. */
export function runtimeProcessorSeconds(): number {
  return runtimePids().reduce((total, pid) => total + (cpuSecondsOf(pid) ?? 0), 0);
}

/** Runtimes this process has started and that are still there; none where there is no `/proc`. */
export function runtimePids(): number[] {
  return runtimeStatuses().map(({ pid }) => Number(pid));
}

/** Of Linux; and where the times stand in `/proc/<pid>/stat`, counted after the name. */
const TICKS_PER_SECOND = 100;
const PARENT = 1;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Processor time of a process and all its threads, in seconds; null where there is no `/proc`. */
export function cpuSecondsOf(pid: number): number | null {
  const fields = readStat(String(pid));
  return fields && (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
}

function runtimeStatuses(): Status[] {
  return childrenOf(process.pid)
    .map(statusOf)
    .filter(({ name }) => name.startsWith('workerd'));
}

interface Status {
  pid: string;
  name: string;
  now: number;
  peak: number;
}

/** Resident memory of a process, in bytes: now, and at its peak. Throws where there is no `/proc`. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const { now, peak } = statusOf(String(pid));
  return { now, peak };
}

function statusOf(pid: string): Status {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => new RegExp(`^${name}:\\s+(.+)$`, 'm').exec(text)?.[1] ?? '';
  const kilobytes = (name: string) => Number.parseInt(field(name), 10) * 1024 || 0;
  return { pid, name: field('Name'), now: kilobytes('VmRSS'), peak: kilobytes('VmHWM') };
}

/** Every process below one, however deep. */
function childrenOf(parent: number): string[] {
  const parents = new Map<string, string[]>();
  for (const pid of listProcesses()) {
    const own = readStat(pid)?.[PARENT];
    if (own) parents.set(own, [...(parents.get(own) ?? []), pid]);
  }
  const below = (pid: string): string[] => (parents.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(String(parent));
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** The fields after the name, which may hold anything; null when the process is gone already. */
function readStat(pid: string): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
