// Checks whether node_modules matches package-lock.json. Uses no packages and runs on Node 20 or later.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const MODULES = join(ROOT, 'node_modules');
// Written last, so an interrupted install does not count as complete.
const STAMP = join(MODULES, '.installed-from');
const MINIMUM_NODE = [22, 18];

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Key of a completed install: the lockfile and the platform, because binaries differ. */
function fingerprintOf(lockfile) {
  return createHash('sha256').update(`${process.platform} ${process.arch}\n${lockfile}`).digest('hex');
}

/** Whether the packages of the lockfile are installed, by `install.mjs` or by hand. */
export function areModulesInstalled() {
  const lockfile = read(join(ROOT, 'package-lock.json'));
  if (read(STAMP) === fingerprintOf(lockfile)) return true;
  if (!isInstalledByHand(lockfile)) return false;
  noteInstalled();
  return true;
}

/** Compares with npm's record of installed packages, which npm writes at the end of an install. */
function isInstalledByHand(lockfile) {
  const record = read(join(MODULES, '.package-lock.json'));
  if (record === '') return false;
  const installed = JSON.parse(record).packages ?? {};
  return Object.entries(JSON.parse(lockfile).packages ?? {}).every(([path, locked]) => {
    if (path === '' || locked.link) return true;
    const actual = installed[path];
    if (!actual) return locked.optional === true || locked.devOptional === true || locked.peer === true;
    const present = existsSync(join(ROOT, path, 'package.json'));
    return actual.version === locked.version && actual.integrity === locked.integrity && (present || locked.optional === true);
  });
}

/** Number of packages in node_modules, and of those that the lockfile has for this platform. */
export function countPackages() {
  const { packages = {} } = JSON.parse(read(join(ROOT, 'package-lock.json')));
  const fits = (allowed, own) => allowed === undefined || allowed.includes(own);
  const wanted = Object.entries(packages).filter(
    ([path, { os, cpu }]) => path !== '' && fits(os, process.platform) && fits(cpu, process.arch),
  );
  return { present: wanted.filter(([path]) => existsSync(join(ROOT, path, 'package.json'))).length, total: wanted.length };
}

export function noteInstalling() {
  rmSync(STAMP, { force: true });
}

export function noteInstalled() {
  writeFileSync(`${STAMP}.new`, fingerprintOf(read(join(ROOT, 'package-lock.json'))));
  renameSync(`${STAMP}.new`, STAMP);
}

/** Exits unless the bundled Node or a recent one is available. */
export function requireNode() {
  const bundled = ['node', 'node.cmd'].some((name) => existsSync(join(MODULES, '.bin', name)));
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isRecent = major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1]);
  if (bundled || isRecent) return;
  console.error(`Node is not bundled for ${process.platform}-${process.arch}: use Node ${MINIMUM_NODE.join('.')} or newer.`);
  process.exit(1);
}
