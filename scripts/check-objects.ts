import { runMain } from './lib/main.ts';
import {
  currentContracts,
  RELEASED_OBJECTS,
  readReleasedContracts,
  unacceptedContractChanges,
  writeReleasedContracts,
} from './lib/objects/object-contracts.ts';

/** Checks that the RPC methods and the storage of objects are compatible with the released ones. `--release` replaces the released file. */
await runMain(async () => {
  const current = await currentContracts();
  if (process.argv.includes('--release')) writeReleasedContracts(current);
  const released = readReleasedContracts();
  const problems = released ? await unacceptedContractChanges(released, current) : [`${RELEASED_OBJECTS} does not exist: add --release`];
  console.log(`  ${problems.length === 0 ? 'ok  ' : 'FAIL'} compatibility with ${RELEASED_OBJECTS}`);
  for (const problem of problems) console.error(`       ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
});
