import { digestOf, type Representation } from './reply.ts';

/** A body that is serialized and hashed once. The result is meant to be cached. */
export function fixedJson<Body>(body: Body, maxAge: number): Representation<Body> {
  const text = JSON.stringify(body);
  return { kind: 'json', text, etag: `"${digestOf(text)}"`, maxAge };
}

/** A body that is constant within a deployment. It is created on first use and cached. */
export function cachedJson<Body>(create: () => Body, maxAge: number): () => Representation<Body> {
  let cached: Representation<Body> | null = null;
  return () => {
    cached ??= fixedJson(create(), maxAge);
    return cached;
  };
}
