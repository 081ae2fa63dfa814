/**
 * Every registered endpoint against what it declares and what the document says, in one file: starting a test file
 * costs more than most of these suites.
 */
import './document.suite.ts';
import './operations.suite.ts';
import './query-values.suite.ts';
import './errors.suite.ts';
import './forbidden-input.suite.ts';
import './http-rules.suite.ts';
import './switches.suite.ts';
