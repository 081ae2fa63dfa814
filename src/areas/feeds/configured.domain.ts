/** The source, which a run asked for by hand may find without address or credentials. */
export function configured<Source>(source: Source | null): Source {
  if (source === null) throw new Error('the source is not configured: it lacks an address or a credential');
  return source;
}
