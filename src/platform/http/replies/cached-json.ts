import { digestOf, type Representation } from './reply.ts';

/** A body that depends only on its input: serialized and hashed once for caching. */
export function fixedJson<Body>(body: Body, maxAge: number): Representation<Body> {
  const text = JSON.stringify(body);
  return { kind: 'json', text, etag: `"${digestOf(text)}"`, maxAge };
}

/** A body that never changes between deployments, created on first use. */
export function cachedJson<Body>(make: () => Body, maxAge: number): () => Representation<Body> {
  let kept: Representation<Body> | null = null;
  return () => {
    kept ??= fixedJson(make(), maxAge);
    return kept;
  };
}
