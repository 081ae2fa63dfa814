/**
 * Access of every registered endpoint by every kind of credential, with rate limits and cooldowns, and random input. In one file, because
 * starting a test file takes longer than the shorter of these suites.
 */
import './access-decisions.suite.ts';
import './access-rate-limits.suite.ts';
import './fuzz.suite.ts';
