// Runs before every npm script and on any Node from 20 up: brings node_modules in line with package-lock.json.
// Nothing to do (the usual case) must cost next to nothing and must not need a network.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
// Written last, so that an interrupted install is never taken for a finished one.
const stamp = join(modules, '.installed-from');
const MINIMUM_NODE = [22, 18];

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** What a finished install belongs to: the lockfile and the machine kind (binaries differ). */
function fingerprintOf(lockfile) {
  return createHash('sha256').update(`${process.platform} ${process.arch}\n${lockfile}`).digest('hex');
}

/**
 * Whether npm's own record says that exactly this lockfile is installed: a developer ran npm by hand.
 * npm writes that record at the end of an install.
 */
function isInstalledByHand(lockfile) {
  const record = read(join(modules, '.package-lock.json'));
  if (record === '') return false;
  const installed = JSON.parse(record).packages ?? {};
  return Object.entries(JSON.parse(lockfile).packages ?? {}).every(([path, wanted]) => {
    if (path === '' || wanted.link) return true;
    const found = installed[path];
    if (!found) return wanted.optional === true || wanted.devOptional === true || wanted.peer === true;
    const present = existsSync(join(root, path, 'package.json'));
    return found.version === wanted.version && found.integrity === wanted.integrity && (present || wanted.optional === true);
  });
}

function installDependencies() {
  console.log('Installing dependencies from package-lock.json (once; about a minute) ...');
  rmSync(stamp, { force: true });
  const npm = process.env.npm_execpath;
  const parameters = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm's own Node is used: the one in node_modules is about to be replaced.
  const node = process.env.npm_node_execpath ?? process.execPath;
  const result = npm
    ? spawnSync(node, [npm, ...parameters], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', parameters, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error) console.error(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    console.error('The dependencies could not be installed; see above. The next run tries again.');
    process.exit(result.status || 1);
  }
}

function requireNode() {
  const bundled = ['node', 'node.cmd'].some((name) => existsSync(join(modules, '.bin', name)));
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isRecent = major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1]);
  if (bundled || isRecent) return;
  console.error(`There is no bundled Node for ${process.platform}-${process.arch}: please use Node ${MINIMUM_NODE.join('.')} or newer.`);
  process.exit(1);
}

const lockfile = read(join(root, 'package-lock.json'));
const wanted = fingerprintOf(lockfile);
if (read(stamp) !== wanted) {
  if (!isInstalledByHand(lockfile)) installDependencies();
  writeFileSync(`${stamp}.new`, wanted);
  renameSync(`${stamp}.new`, stamp);
}
requireNode();
