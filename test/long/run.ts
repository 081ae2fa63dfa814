import { runTests } from '../../scripts/lib/vitest.ts';

/** `npm run test:long`: runs the fuzz suites with more runs, and tests that take too long for `npm test`. */
runTests('test/long/vitest.config.ts', ...process.argv.slice(2));
