import { runTests } from '../../scripts/lib/vitest.ts';

/** `npm run test:endpoints`: checks every registered endpoint against its declaration, and counts its hops to a far database. */
runTests('vitest.endpoints.config.ts', '--reporter=./test/support/quiet-reporter.ts');
