import { inject } from 'vitest';
import type { UpstreamCall, UpstreamOrder } from './http-upstream.ts';
import type { UpstreamWiring } from './upstream-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    upstreams: (Required<UpstreamWiring> & { name: string; url: string })[];
  }
}

/** A mock service with a state of its own, isolated from other tests. */
export interface UpstreamSession extends Required<UpstreamWiring> {
  url: string;
  order(order: UpstreamOrder): Promise<void>;
  calls(): Promise<UpstreamCall[]>;
}

/** Opens a session on a running HTTP mock. */
export function upstreamSession(name: string): UpstreamSession {
  const server = inject('upstreams').find((candidate) => candidate.name === name);
  if (!server) throw new Error(`mock service not found: ${name}`);
  const url = `${server.url}/~${crypto.randomUUID()}`;
  const own = <Value>(value: Value) => (typeof value === 'string' ? value.replace(server.url, url) : value);
  const within = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, own(value)])) as Record<string, Value>;
  return {
    url,
    vars: within(server.vars),
    settings: within(server.settings),
    async order(order) {
      const response = await fetch(`${url}/control`, { method: 'PUT', body: JSON.stringify(order) });
      await response.text();
    },
    async calls() {
      return (await (await fetch(`${url}/calls`)).json()) as UpstreamCall[];
    },
  };
}
