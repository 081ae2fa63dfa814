import { digestOf, type Representation } from './reply.ts';

/** A body that depends on nothing but its input: serialised and hashed here, once, for whoever keeps it. */
export function fixedJson<Body>(body: Body, maxAge: number): Representation<Body> {
  const text = JSON.stringify(body);
  return { kind: 'json', text, etag: `"${digestOf(text)}"`, maxAge };
}

/** A body that never changes between deployments, made when it is first asked for. */
export function cachedJson<Body>(make: () => Body, maxAge: number): () => Representation<Body> {
  let kept: Representation<Body> | null = null;
  return () => {
    kept ??= fixedJson(make(), maxAge);
    return kept;
  };
}
