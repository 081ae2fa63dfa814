// Runs before `npm start` and `npm test`: installs the packages of package-lock.json. Needs no network if they are installed.
import { spawnSync } from 'node:child_process';
import { areModulesInstalled, noteInstalled, noteInstalling, ROOT, requireNode } from './lib/modules.mjs';

function installDependencies() {
  console.log('Installing dependencies from package-lock.json (once; about a minute) ...');
  noteInstalling();
  const npm = process.env.npm_execpath;
  const parameters = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  // Run npm with its own Node, because the one in node_modules is about to be replaced.
  const node = process.env.npm_node_execpath ?? process.execPath;
  const result = npm
    ? spawnSync(node, [npm, ...parameters], { cwd: ROOT, stdio: 'inherit' })
    : spawnSync('npm', parameters, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error) console.error(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    console.error('The dependencies could not be installed; see above. The next run tries again.');
    process.exit(result.status || 1);
  }
  noteInstalled();
}

if (!areModulesInstalled()) installDependencies();
requireNode();
