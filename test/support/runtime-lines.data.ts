/** A line that the runtime prints on its own, in suites that provoke it. */
export interface ProvokedLine {
  pattern: RegExp;
  /** Beginnings of the paths of the test files that provoke it. */
  suites: readonly string[];
  why: string;
}

const WORKERD = ['test/worker/', 'test/contract/', 'test/distance/'];
/** Suites that open event streams. */
const STREAMS = ['test/worker/events/', 'test/worker/platform/', 'test/worker/mods-catalog/', 'test/worker/game-status/'];

/** Lines of the runtime that tests provoke. Any other line fails the run. */
export const PROVOKED_LINES: readonly ProvokedLine[] = [
  { pattern: /Network connection lost|pump canceled|read end of pipe was aborted/, suites: WORKERD, why: 'clients that disconnect early' },
  { pattern: /Connection refused|Connection reset by peer|client error \(/, suites: WORKERD, why: 'upstreams that are down' },
  { pattern: /error reading a body from connection/, suites: WORKERD, why: 'upstreams that break off a response' },
  { pattern: /failed to lookup address information/, suites: ['test/worker/game-status/'], why: 'reserved names that do not exist' },
  { pattern: /killed by a test/, suites: [...STREAMS, 'test/worker/service-status/'], why: 'shards that stop in the middle of their work' },
  {
    pattern: /jsg\.Error: evicted/,
    suites: ['test/distance/', 'test/worker/platform/', 'test/worker/events/', 'test/worker/tokens/'],
    why: 'objects that are evicted',
  },
  { pattern: /deleteAllDurableObjects\(\)/, suites: WORKERD, why: 'storage that is emptied before each file' },
  { pattern: /event stream aborted/, suites: [...STREAMS, 'test/contract/'], why: 'event streams that a client or the service ends' },
  { pattern: /Error: out of reach/, suites: ['test/worker/events/'], why: 'a shard that cannot be reached' },
  {
    pattern: /internal error; reference = /,
    suites: WORKERD,
    why: 'the form in which the runtime hides its own reason for one of the lines above',
  },
  {
    pattern: /Can't read from request stream because client disconnected/,
    suites: ['test/worker/updates/'],
    why: 'the local object store, when a file that is streamed into it breaks off',
  },
  { pattern: /no such table: /, suites: WORKERD, why: 'work of an earlier file that ends while the storage is emptied' },
  {
    pattern: /Promise will never complete/,
    suites: WORKERD,
    why: 'work of an earlier file that pauses before it repeats a call, while a file has replaced the timers',
  },
  { pattern: /NOSENTRY SQLite alarm/, suites: WORKERD, why: 'an alarm that is late on a busy machine, or deleted with its object' },
];

/** Lines that belong to the line before them, or that tools print before the tests. */
export const OTHER_LINES: readonly RegExp[] = [
  /^Using secrets defined in \.dev\.vars/,
  /^stack: /,
  /^\s+at /,
  /^npm (?:warn|notice)/,
  /ExperimentalWarning: |--trace-warnings/,
  /^Sourcemap for .* points to missing source files/,
];
