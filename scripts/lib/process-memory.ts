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
  return runtimeStatuses().reduce((total, { pid }) => total + processorSeconds(pid), 0);
}

/** Of Linux; and where the times stand in `/proc/<pid>/stat`, counted after the name. */
const TICKS_PER_SECOND = 100;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

function processorSeconds(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
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
    const fields = readStat(pid);
    if (fields) parents.set(fields, [...(parents.get(fields) ?? []), pid]);
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

/** The parent's id; null when the process is gone already. */
function readStat(pid: string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? null;
  } catch {
    return null;
  }
}
