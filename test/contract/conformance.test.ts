/**
 * Checks every registered endpoint against its declaration and the document. In one file, because starting a test file takes longer
 * than most of these suites.
 */
import './declarations.suite.ts';
import './document.suite.ts';
import './operations.suite.ts';
import './query-values.suite.ts';
import './errors.suite.ts';
import './forbidden-input.suite.ts';
import './http-rules.suite.ts';
import './switches.suite.ts';
import './limits.suite.ts';
import './specification.suite.ts';
