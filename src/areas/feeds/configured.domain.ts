/** Throws when the source is not configured, which a manual run may find. */
export function requireConfigured<Source>(source: Source | null): Source {
  if (source === null) throw new Error('source is not configured: URL or credential missing');
  return source;
}
