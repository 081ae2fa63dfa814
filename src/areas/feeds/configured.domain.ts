/** The configured source; a manual run may find it unconfigured. */
export function configured<Source>(source: Source | null): Source {
  if (source === null) throw new Error('source is not configured: URL or credential missing');
  return source;
}
