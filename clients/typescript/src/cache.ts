export interface CacheEntry {
  etag: string;
  body: ArrayBuffer;
  headers: [string, string][];
  freshUntil: number;
}

/** Headers of a request that bypasses the cache: the stored response may be another part, or another version. */
const OWN_CONDITIONS = ['Range', 'If-Range', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since', 'Cache-Control'];

/** An LRU cache of responses with an `ETag`: at most `maxBytes` of bodies in total, and a quarter of that for each. */
export function createCache(maxBytes: number) {
  const entries = new Map<string, CacheEntry>();
  let bytes = 0;

  const keyOf = ({ url, headers }: Request) => [url, headers.get('Authorization'), headers.get('Accept')].join('\n');

  function remove(key: string): void {
    bytes -= entries.get(key)?.body.byteLength ?? 0;
    entries.delete(key);
  }

  function store(key: string, entry: CacheEntry): void {
    remove(key);
    if (entry.body.byteLength > maxBytes / 4) return;
    entries.set(key, entry);
    bytes += entry.body.byteLength;
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes) return;
      remove(oldest);
    }
  }

  const copyOf = ({ body, headers }: CacheEntry) => new Response(body.slice(0), { status: 200, headers });

  /** Time at which the response becomes stale by its `max-age`; in the past without one. */
  function freshUntil({ headers }: Response): number {
    const [, maxAge = '0'] = /max-age=(\d+)/.exec(headers.get('Cache-Control') ?? '') ?? [];
    return Date.now() + (Number(maxAge) - Number(headers.get('Age') ?? 0)) * 1000;
  }

  /** Whether the response may come from the cache. */
  function isCacheable({ method, headers, cache }: Request): boolean {
    return maxBytes > 0 && method === 'GET' && (cache as string) !== 'no-store' && !OWN_CONDITIONS.some((name) => headers.has(name));
  }

  return {
    /** The stored response of the request; null without one. */
    stored(request: Request): CacheEntry | null {
      return (isCacheable(request) && (request.cache as string) !== 'reload' && entries.get(keyOf(request))) || null;
    },

    /** A stored response that is still fresh; null if a request is needed. */
    fresh(request: Request): Response | null {
      const entry = (request.cache as string) === 'no-cache' ? null : this.stored(request);
      return entry && entry.freshUntil > Date.now() ? copyOf(entry) : null;
    },

    /**
     * Stores the response. Returns it, or the stored response for a 304. `sent`: the entry whose `ETag` the request carried. The cache may
     * have dropped or replaced it meanwhile.
     */
    async resolve(request: Request, response: Response, sent: CacheEntry | null): Promise<Response> {
      if (!isCacheable(request)) return response;
      const key = keyOf(request);
      if (response.status === 304 && sent) {
        const headers = new Headers(sent.headers);
        for (const [name, value] of response.headers) headers.set(name, value);
        const renewed = { ...sent, headers: [...headers], freshUntil: freshUntil(response) };
        store(key, renewed);
        return copyOf(renewed);
      }
      const etag = response.headers.get('ETag');
      const type = response.headers.get('Content-Type') ?? '';
      const length = Number(response.headers.get('Content-Length') ?? 0);
      if (response.status !== 200 || etag === null || !type.startsWith('application/json') || length > maxBytes / 4) return response;
      const body = await response.arrayBuffer();
      const headers = [...response.headers].filter(([name]) => name !== 'content-encoding' && name !== 'content-length');
      const complete: CacheEntry = { etag, body, headers, freshUntil: freshUntil(response) };
      store(key, complete);
      return copyOf(complete);
    },
  };
}

/** The request with the `ETag` of a stored response. */
export function withEtag(request: Request, entry: CacheEntry | null): Request {
  if (!entry) return request;
  const conditional = new Request(request);
  conditional.headers.set('If-None-Match', entry.etag);
  return conditional;
}
