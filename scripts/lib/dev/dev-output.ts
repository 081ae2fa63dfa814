/**
 * Request log of `wrangler dev`, which repeats the log lines of the service. The table of bindings and hints before it is ready are
 * shown only if the start fails.
 */
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \S+ \d{3} /;
const READY_LINE = /^\[wrangler:info\] Ready on /;
const FAILURE_LINE = /\bERROR\b/;
const PORT_TAKEN_LINE = /Address already in use/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with the escape character
const COLOURS = /\x1b\[[0-9;]*m/g;

/** Reports of the runtime, the prober and upstream clients that an external service cannot be reached. */
const UNREACHABLE_LINE =
  /failed to lookup address|Socket proxy disconnected|connect\(\).*(refused|unreachable|timed out)|Network is unreachable|no anchor responds|UpstreamError: [\w-]+: no (complete )?response/i;
/** Stack of the runtime, which follows such a report. */
const STACK_LINE = /^\s+stack: .*workerd/;
/** Reports for the developers of the runtime. */
const RUNTIME_LINE = /NOSENTRY/;
const INFO_LINE = /^\{"level":"info",/;
const UNREACHABLE_NOTICE_MS = 600_000;
const UNREACHABLE_NOTICE = 'External services cannot be reached; feeds and game status keep their last data. (Repeated every 10 minutes.)';
/** Mocks stop with the server, so a request may find them closed. */
const MOCK_NOTICE = 'A mock service did not respond; the service asks it again. (Repeated every 10 minutes.)';

/** `ready`: wrangler listens. `port-taken`: another program listens on the port. */
export type DevState = 'starting' | 'ready' | 'port-taken';

export interface DevOutput {
  state(): DevState;
  /** Reads a chunk of output. Complete lines are shown or buffered. */
  write(text: string): void;
  /** Shows lines at once from now on. */
  open(): void;
  /** Shows the buffered lines. */
  flush(): void;
}

export interface DevOutputOptions {
  /** Whether lines of the level `info` are shown: requests, mails, completed background work. */
  showsInfo?: boolean;
  /** Whether mocks replace the external services. */
  hasMocks?: boolean;
  /** Milliseconds. */
  now?(): number;
}

export function createDevOutput(
  show: (line: string) => void,
  { showsInfo = false, hasMocks = false, now = Date.now }: DevOutputOptions = {},
): DevOutput {
  let buffered: string[] = [];
  let isOpen = false;
  let state: DevState = 'starting';
  let rest = '';
  let noticedAt = Number.NEGATIVE_INFINITY;
  /** Whether the previous line was part of a report of the runtime, so blank lines and a stack follow. */
  let isInReport = false;
  const flush = () => {
    for (const line of buffered) show(line);
    buffered = [];
    isOpen = true;
  };
  const noteUnreachable = () => {
    if (!isOpen || now() - noticedAt < UNREACHABLE_NOTICE_MS) return;
    noticedAt = now();
    show(hasMocks ? MOCK_NOTICE : UNREACHABLE_NOTICE);
  };
  const readLine = (line: string) => {
    const plain = line.replace(COLOURS, '');
    if (READY_LINE.test(plain)) state = 'ready';
    if (PORT_TAKEN_LINE.test(plain)) state = 'port-taken';
    if (REQUEST_LINE.test(plain) || READY_LINE.test(plain) || STACK_LINE.test(plain)) return;
    if (isInReport && plain.trim() === '') return;
    const isUnreachable = UNREACHABLE_LINE.test(plain);
    isInReport = isUnreachable || RUNTIME_LINE.test(plain);
    if (isUnreachable) noteUnreachable();
    if (isInReport || (!showsInfo && INFO_LINE.test(plain))) return;
    if (isOpen) return show(line);
    buffered.push(line);
    if (FAILURE_LINE.test(plain)) flush();
  };
  return {
    state: () => state,
    write(text) {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) readLine(line);
    },
    open() {
      buffered = [];
      isOpen = true;
    },
    flush,
  };
}
