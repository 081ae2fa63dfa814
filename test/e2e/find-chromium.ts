import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Variables that may contain the path of a browser. */
const VARIABLES = ['CHROMIUM_PATH', 'CHROME_BIN', 'CHROME_PATH', 'PUPPETEER_EXECUTABLE_PATH'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const USUAL_PLACES = [
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** Browser program within a folder of playwright's cache, by system. */
const CACHED_PROGRAMS = [
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-win/chrome.exe',
];

/** Arguments of every start: as root, and without shared memory, which tests and containers fill. */
export const BROWSER_ARGS = ['--no-sandbox', '--disable-dev-shm-usage'];

/** Inputs of the search for a browser. */
export interface Machine {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

const THIS_MACHINE: Machine = { env: process.env, home: homedir() };

/** Finds a Chromium: by variable, on the PATH, at a usual path, or in playwright's cache. */
export function findChromium({ env, home }: Machine = THIS_MACHINE): string | null {
  const named = VARIABLES.flatMap((name) => env[name] ?? []);
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => (folder === '' ? [] : NAMES.map((name) => join(folder, name))));
  return [...named, ...onPath, ...USUAL_PLACES, ...cached({ env, home })].find(isProgram) ?? null;
}

/** Browsers that playwright has downloaded, newest first. */
function cached({ env, home }: Machine): string[] {
  const caches = [
    env.PLAYWRIGHT_BROWSERS_PATH ?? '',
    join(home, '.cache', 'ms-playwright'),
    join(home, 'Library', 'Caches', 'ms-playwright'),
  ];
  return caches
    .filter((folder) => folder !== '' && existsSync(folder))
    .flatMap((folder) => {
      const builds = readdirSync(folder).filter((name) => /^chromium-\d+$/.test(name));
      const newestFirst = builds.sort((one, other) => Number(other.slice(9)) - Number(one.slice(9)));
      return newestFirst.flatMap((build) => CACHED_PROGRAMS.map((program) => join(folder, build, program)));
    });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs a command with a timeout. Resolves with whether it succeeded. */
export type Run = (command: string, args: readonly string[], milliseconds: number) => Promise<boolean>;

/** Timeouts of downloading and of unpacking. */
const FETCH_MS = 120_000;
const UNPACK_MS = 120_000;
/** Fail fast without a network, and never prompt. */
const APT_OPTIONS = [
  '-q',
  '-y',
  ...['Acquire::Retries=0', 'Acquire::http::Timeout=10', 'Acquire::https::Timeout=10', 'DPkg::Lock::Timeout=10'].flatMap((option) => [
    '-o',
    option,
  ]),
];
const PACKAGES = ['--no-install-recommends', 'chromium', 'fonts-dejavu-core'];

/**
 * Installs Debian's Chromium as root. Downloads all packages before it unpacks any, so a timeout leaves the system unchanged.
 * Returns null on success, otherwise the reason of the failure.
 */
export async function installChromium(run: Run = runFor, mayInstall: boolean = isRootOfLinux()): Promise<string | null> {
  if (!mayInstall) return 'only root on Debian can install it';
  const end = performance.now() + FETCH_MS;
  const left = () => Math.max(1, end - performance.now());
  if (!(await run('apt-get', [...APT_OPTIONS, 'update'], left()))) return 'apt-get update failed or took too long';
  if (!(await run('apt-get', [...APT_OPTIONS, 'install', '--download-only', ...PACKAGES], left())))
    return 'apt-get download failed or took too long';
  return (await run('apt-get', [...APT_OPTIONS, 'install', '--no-download', ...PACKAGES], UNPACK_MS)) ? null : 'apt-get install failed';
}

const isRootOfLinux = () => process.platform === 'linux' && process.getuid?.() === 0;

/** Kills the command and its child processes on a timeout. */
const runFor: Run = (command, args, milliseconds) =>
  new Promise((resolve) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn(command, args, { stdio: 'ignore', detached: true, env });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, milliseconds);
    const settle = (succeeded: boolean) => {
      clearTimeout(timer);
      resolve(succeeded);
    };
    child.on('error', () => settle(false));
    child.on('close', (code) => settle(code === 0));
  });
