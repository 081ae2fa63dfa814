import { runMain } from '../../scripts/lib/main.ts';
import { checkVersion } from './checks.ts';
import { checkAbilities, checkClasses } from './classes.ts';
import { listFolder } from './game-folder.ts';
import { checkGems } from './gems.ts';
import { Report } from './report.ts';

/**
 * `npm run corpus -- DIR`: reads an unpacked version of the game in place (`prefabs`, `languages`, `blueprints`), compares what the
 * service reads with a second reader, and prints counts. Exit code 1 on differences.
 */
await runMain(async () => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('usage: npm run corpus -- DIR');
  const files = listFolder(folder);
  console.log(`${files.length} files`);
  const report = new Report();
  checkVersion(files, report);
  checkGems(folder, report);
  checkClasses(folder, report);
  await checkAbilities(folder, report);
  for (const line of report.lines()) console.log(line);
  console.log(`${report.differences()} differences`);
  if (report.differences() > 0) process.exitCode = 1;
});
