/**
 * Lines of `wrangler dev` that are not the service's own: the table of bindings and hints before it is ready (shown
 * only if starting fails), and its log of requests, which would say everything twice.
 */
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \S+ \d{3} /;
const READY_LINE = /^\[wrangler:info\] Ready on /;
const FAILURE_LINE = /\bERROR\b/;
const PORT_TAKEN_LINE = /Address already in use/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with the escape character
const COLOURS = /\x1b\[[0-9;]*m/g;

/** How the runtime and the prober report that an outside service cannot be reached. */
const UNREACHABLE_LINE =
  /failed to lookup address|Socket proxy disconnected|connect\(\).*(refused|unreachable|timed out)|Network is unreachable|no anchor answers|UpstreamError: [\w-]+: no (complete )?response/i;
/** Second part of such a report: the runtime's own stack. */
const STACK_LINE = /^\s+stack: .*workerd/;
/** What the runtime reports to its makers. */
const RUNTIME_LINE = /NOSENTRY/;
const INFO_LINE = /^\{"level":"info",/;
const UNREACHABLE_NOTICE_MS = 600_000;
const UNREACHABLE_NOTICE = 'Outside services cannot be reached: feeds and game status keep their last data. (Repeated every 10 minutes.)';

/** `ready`: wrangler listens. `port-taken`: another program was quicker, and would answer in its place. */
export type DevState = 'starting' | 'ready' | 'port-taken';

export interface DevOutput {
  state(): DevState;
  /** Takes a piece of output; complete lines are shown or held back. */
  write(text: string): void;
  /** From now on lines are shown as they come. */
  open(): void;
  /** Shows what has been held back. */
  flush(): void;
}

export interface DevOutputOptions {
  /** Whether lines of the level `info` are shown: requests, mails, the ends of long work. */
  showsInfo?: boolean;
  /** Milliseconds. */
  now?(): number;
}

export function createDevOutput(show: (line: string) => void, { showsInfo = false, now = Date.now }: DevOutputOptions = {}): DevOutput {
  let held: string[] = [];
  let isOpen = false;
  let state: DevState = 'starting';
  let rest = '';
  let noticedAt = Number.NEGATIVE_INFINITY;
  /** The line before was part of a report of the runtime: its blank lines and its stack follow. */
  let isInReport = false;
  const flush = () => {
    for (const line of held) show(line);
    held = [];
    isOpen = true;
  };
  const noteUnreachable = () => {
    if (!isOpen || now() - noticedAt < UNREACHABLE_NOTICE_MS) return;
    noticedAt = now();
    show(UNREACHABLE_NOTICE);
  };
  const take = (line: string) => {
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
    held.push(line);
    if (FAILURE_LINE.test(plain)) flush();
  };
  return {
    state: () => state,
    write(text) {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    },
    open() {
      held = [];
      isOpen = true;
    },
    flush,
  };
}
