import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../main.ts';
import { inRoot } from '../paths.ts';

/** Names the server that uses the local state: two servers on the same files make each other fail. */
const LOCK = inRoot('.local', 'server.json');

/** A running server. */
export interface LockHolder {
  pid: number;
  /** Port of `npm start`; null: `npx wrangler dev`, whose port is unknown. */
  port: number | null;
}

/** The server that uses the local state; null if there is none, or if it has ended. */
export function findServer(path = LOCK): LockHolder | null {
  try {
    const { pid, port, started } = JSON.parse(readFileSync(path, 'utf8')) as LockHolder & { started: string | null };
    return isAlive(pid) && startOf(pid) === started ? { pid, port } : null;
  } catch {
    return null;
  }
}

/** Notes a server. Throws if another one uses the local state. Returns a function that removes the note. */
export function lockState(holder: LockHolder, path = LOCK): () => void {
  refuseSecondServer(holder.pid, path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify({ ...holder, started: startOf(holder.pid) }));
  renameSync(`${path}.new`, path);
  return () => {
    if (findServer(path)?.pid === holder.pid) rmSync(path, { force: true });
  };
}

/** Throws if a process other than `own` serves the local state. */
export function refuseSecondServer(own = process.pid, path = LOCK): void {
  const server = findServer(path);
  if (server === null || server.pid === own) return;
  const name = server.port === null ? 'npx wrangler dev' : `npm start on port ${server.port}`;
  throw new UserError(`Another server uses the data of this checkout: ${name}, process ${server.pid}. Stop it first.`);
}

/** Whether a process with the id runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Start time of a process in ticks since the boot, because ids are reused; null where the system has no /proc. */
function startOf(pid: number): string | null {
  try {
    // The name of the program, in parentheses, may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
