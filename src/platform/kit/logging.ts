/** Writes one line of structured log. Never pass secrets, addresses or bodies. */
export function log(fields: Readonly<Record<string, unknown>>): void {
  // biome-ignore lint/suspicious/noConsole: the console is the platform's log sink
  console.log(JSON.stringify(fields));
}

/** Logs an unexpected failure with its stack. */
export function logError(message: string, error: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  // biome-ignore lint/suspicious/noConsole: the console is the platform's log sink
  console.error(JSON.stringify({ level: 'error', message, ...fields, cause }));
}
