const SQLITE_REASON = /dbErrorMessage\(err, db\) = ([^;\n]+)/;
const STACK = /(?:^|\n)stack: [^\n]*/g;

/** The text of a line of the local runtime's log without its stack; of a failure of SQLite only the reason, such as a full disk. */
export function runtimeLogText(message: string): string {
  const reason = SQLITE_REASON.exec(message)?.[1];
  return reason === undefined ? message.replaceAll(STACK, '').trim() : `The local database failed: ${reason}`;
}

/** Option of Miniflare that prints the log of the runtime as `runtimeLogText`. */
export const RUNTIME_LOG = {
  handleStructuredLogs({ message }: { message: string }) {
    const text = runtimeLogText(message);
    if (text !== '') console.error(text);
  },
};
