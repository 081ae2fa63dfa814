/** The source, which a run asked for by hand may find without address or credentials. */
export function configured<Source>(source: Source | null): Source {
  if (source === null) throw new Error('source is not configured: URL or credential missing');
  return source;
}
