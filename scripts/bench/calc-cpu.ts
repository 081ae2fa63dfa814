import { readdirSync, readFileSync } from 'node:fs';

/** Kernel ticks in a second: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Processor time of a process and all its threads, in seconds; null where there is no `/proc`. */
export function cpuSecondsOf(pid: number): number | null {
  try {
    // The name of the program, in brackets, may hold anything; the fields after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** Runtimes this process has started and that are still there. */
export function runtimePids(): number[] {
  try {
    const tasks = readdirSync('/proc/self/task');
    const children = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '));
    return children.filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workerd')).map(Number);
  } catch {
    return [];
  }
}
