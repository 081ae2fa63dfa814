import { env } from 'cloudflare:workers';
import { createApp } from '../../src/app.ts';
import { composeApp } from '../../src/composition.ts';
import type { Area, AreaContext, Ports } from '../../src/platform/area/area.ts';
import type { SettingsSource } from '../../src/platform/settings/settings-cache.ts';
import { appFetch } from './app-fetch.ts';
import type { Fetch } from './requests.ts';

export interface AreaChanges extends Partial<Omit<AreaContext, 'ports'>> {
  /** Bindings and variables to replace. */
  bindings?: Partial<Env> & Readonly<Record<string, unknown>>;
  ports?: Partial<Ports>;
}

/** An area as the service composes it, with other bindings, variables or parts of its context, and an application with its endpoints. */
export function composedArea<Provided extends Partial<Ports>>(area: Area<Provided>, { bindings, ports, ...changes }: AreaChanges = {}) {
  const service = composeApp({ ...env, ...bindings } as Env);
  const { context } = service;
  const parts = area.create({ ...context, ...changes, ports: { ...context.ports, ...ports } });
  const endpoints = typeof parts.endpoints === 'function' ? parts.endpoints() : parts.endpoints;
  return {
    ...parts,
    jobs: parts.jobs ?? [],
    eventSources: parts.eventSources ?? [],
    /** Sends requests to the endpoints of the area. */
    fetchWith: (settings: SettingsSource = context.settings): Fetch => appFetch(createApp({ ...service, endpoints, settings })),
  };
}

/** A publisher that publishes nothing: it records type and time of each change. */
export function recordingPublisher() {
  const published: [type: string, now: number][] = [];
  const events: AreaContext['events'] = {
    async changed(type, now) {
      published.push([type, now]);
    },
    announce: async () => true,
  };
  return { events, published };
}
