interface CacheEntry {
  etag: string;
  body: ArrayBuffer;
  headers: [string, string][];
  freshUntil: number;
}

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

  return {
    /** A fresh stored response; null if a request is needed. */
    fresh(request: Request): Response | null {
      const entry = request.method === 'GET' && request.cache !== 'reload' ? entries.get(keyOf(request)) : undefined;
      return entry && entry.freshUntil > Date.now() ? copyOf(entry) : null;
    },

    /** Adds `If-None-Match` of the stored response to the request. */
    conditional(request: Request): Request {
      const entry = request.method === 'GET' ? entries.get(keyOf(request)) : undefined;
      if (!entry || request.headers.has('If-None-Match')) return request;
      const conditional = new Request(request);
      conditional.headers.set('If-None-Match', entry.etag);
      return conditional;
    },

    /** Stores the response. Returns it, or the stored response for a 304. */
    async resolve(request: Request, response: Response): Promise<Response> {
      if (maxBytes <= 0 || request.method !== 'GET') return response;
      const key = keyOf(request);
      const entry = entries.get(key);
      if (response.status === 304 && entry && !request.headers.has('If-None-Match')) {
        const headers = new Headers(entry.headers);
        for (const [name, value] of response.headers) headers.set(name, value);
        const renewed = { ...entry, headers: [...headers], freshUntil: freshUntil(response) };
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
