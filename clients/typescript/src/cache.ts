interface Kept {
  etag: string;
  body: ArrayBuffer;
  headers: [string, string][];
  freshUntil: number;
}

/** Responses with an `ETag`, least recently used dropped first, at most `maxBytes` of bodies and a quarter of it for each. */
export function createCache(maxBytes: number) {
  const kept = new Map<string, Kept>();
  let bytes = 0;

  const keyOf = ({ url, headers }: Request) => [url, headers.get('Authorization'), headers.get('Accept')].join('\n');

  function drop(key: string): void {
    bytes -= kept.get(key)?.body.byteLength ?? 0;
    kept.delete(key);
  }

  function keep(key: string, entry: Kept): void {
    drop(key);
    if (entry.body.byteLength > maxBytes / 4) return;
    kept.set(key, entry);
    bytes += entry.body.byteLength;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) return;
      drop(oldest);
    }
  }

  const copyOf = ({ body, headers }: Kept) => new Response(body.slice(0), { status: 200, headers });

  /** When the response stops being fresh by its `max-age`; in the past without one. */
  function freshUntil({ headers }: Response): number {
    const [, maxAge = '0'] = /max-age=(\d+)/.exec(headers.get('Cache-Control') ?? '') ?? [];
    return Date.now() + (Number(maxAge) - Number(headers.get('Age') ?? 0)) * 1000;
  }

  return {
    /** A response that needs no request. */
    fresh(request: Request): Response | null {
      const entry = request.method === 'GET' && request.cache !== 'reload' ? kept.get(keyOf(request)) : undefined;
      return entry && entry.freshUntil > Date.now() ? copyOf(entry) : null;
    },

    /** The request with `If-None-Match` of the stored response. */
    conditional(request: Request): Request {
      const entry = request.method === 'GET' ? kept.get(keyOf(request)) : undefined;
      if (!entry || request.headers.has('If-None-Match')) return request;
      const conditional = new Request(request);
      conditional.headers.set('If-None-Match', entry.etag);
      return conditional;
    },

    /** The response to return: the stored one instead of a 304. */
    async answer(request: Request, response: Response): Promise<Response> {
      if (maxBytes <= 0 || request.method !== 'GET') return response;
      const key = keyOf(request);
      const entry = kept.get(key);
      if (response.status === 304 && entry && !request.headers.has('If-None-Match')) {
        const headers = new Headers(entry.headers);
        for (const [name, value] of response.headers) headers.set(name, value);
        const renewed = { ...entry, headers: [...headers], freshUntil: freshUntil(response) };
        keep(key, renewed);
        return copyOf(renewed);
      }
      const etag = response.headers.get('ETag');
      const type = response.headers.get('Content-Type') ?? '';
      const length = Number(response.headers.get('Content-Length') ?? 0);
      if (response.status !== 200 || etag === null || !type.startsWith('application/json') || length > maxBytes / 4) return response;
      const body = await response.arrayBuffer();
      const headers = [...response.headers].filter(([name]) => name !== 'content-encoding' && name !== 'content-length');
      const whole: Kept = { etag, body, headers, freshUntil: freshUntil(response) };
      keep(key, whole);
      return copyOf(whole);
    },
  };
}
