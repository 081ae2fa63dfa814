import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of the local runtime started by this process, current and peak, in bytes. Null if not on Linux. */
export function runtimeMemory(): { now: number; peak: number } | null {
  const runtimes = runtimeStatuses();
  if (runtimes.length === 0) return null;
  const sum = (pick: (status: Status) => number) => runtimes.reduce((total, status) => total + pick(status), 0);
  return { now: sum(({ now }) => now), peak: sum(({ peak }) => peak) };
}

/** CPU milliseconds of that runtime, from the scheduler's counters of its threads, which are finer than clock ticks. Null if not on Linux. */
export function runtimeProcessorMs(): number | null {
  const nanoseconds = runtimePids().flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => threadNanoseconds(pid, thread)));
  return nanoseconds.length === 0 ? null : nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

function threadNanoseconds(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
  } catch {
    // The thread has exited.
    return 0;
  }
}

/** Process ids of running runtimes started by this process; empty without `/proc`. */
export function runtimePids(): number[] {
  return runtimeStatuses().map(({ pid }) => Number(pid));
}

/** Clock ticks on Linux, and the fields of `/proc/<pid>/stat`, counted after the name. */
const TICKS_PER_SECOND = 100;
const PARENT = 1;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** CPU seconds of a process with all its threads; null without `/proc`. */
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

/** Resident memory of a process, current and peak, in bytes. Throws without `/proc`. */
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

/** All descendants of a process. */
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

/** The fields after the name, which may contain any character; null if the process has exited. */
function readStat(pid: string): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
