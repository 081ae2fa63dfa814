// Runs before `npm start` and `npm test`: installs the packages of package-lock.json. Needs no network if they are installed.
import { spawn } from 'node:child_process';
import { areModulesInstalled, countPackages, noteInstalled, noteInstalling, ROOT, requireNode } from './lib/modules.mjs';

const PROGRESS_MS = 5000;

async function installDependencies() {
  console.log('Installing dependencies from package-lock.json (once; one to three minutes) ...');
  noteInstalling();
  const started = performance.now();
  const timer = setInterval(() => console.log(`  ${progress(started)}`), PROGRESS_MS);
  const status = await runNpm([
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  ]);
  clearInterval(timer);
  if (status !== 0) {
    console.error('The dependencies could not be installed; see above. The next run tries again.');
    process.exit(status || 1);
  }
  noteInstalled();
  console.log(`Installed ${progress(started)}`);
}

function progress(started) {
  const { present, total } = countPackages();
  return `${present} of ${total} packages, ${Math.round((performance.now() - started) / 1000)} s`;
}

/** Exit code of npm; null if it was killed or could not be started. */
function runNpm(parameters) {
  const npm = process.env.npm_execpath;
  // Run npm with its own Node, because the one in node_modules is about to be replaced.
  const node = process.env.npm_node_execpath ?? process.execPath;
  const options = { cwd: ROOT, stdio: 'inherit' };
  const child = npm
    ? spawn(node, [npm, ...parameters], options)
    : spawn('npm', parameters, { ...options, shell: process.platform === 'win32' });
  return new Promise((resolve) => {
    child.on('close', resolve);
    child.on('error', (error) => {
      console.error(`npm could not be started: ${error.message}`);
      resolve(null);
    });
  });
}

if (!areModulesInstalled()) await installDependencies();
requireNode();
