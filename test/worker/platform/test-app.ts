import { env } from 'cloudflare:workers';
import { type AppDeps, createApp } from '../../../src/app.ts';
import { composeApp } from '../../../src/composition.ts';
import { openAccess } from '../../../src/platform/access/policy/policy.ts';
import type { AnyHandler, AnyRouteSpec, Endpoint } from '../../../src/platform/http/pipeline/define-route.ts';
import type { Settings } from '../../../src/platform/settings/settings.data.ts';
import { appFetch } from '../../support/app-fetch.ts';
import { DEFAULT_SETTINGS, fixedSettings } from '../../support/declarations.ts';
import type { Fetch } from '../../support/requests.ts';

export interface TestAppOptions {
  /** Bindings and variables to replace; undefined removes one. */
  bindings?: { readonly [Name in keyof Env]?: Env[Name] | undefined };
  /** Settings that differ from their defaults; fixed, so the app reads none from storage. */
  settings?: Partial<Settings>;
  deps?: Partial<AppDeps>;
}

/** A separate application over the test's storage: it shares no memory with other applications. */
export function testApp({ bindings = {}, settings, deps = {} }: TestAppOptions = {}): Fetch {
  const values = settings && { ...DEFAULT_SETTINGS, ...settings };
  const fixed: Partial<AppDeps> = values ? { settings: fixedSettings(values) } : {};
  const composed = composeApp({ ...env, ...bindings } as Env);
  return appFetch(createApp({ ...composed, ...fixed, ...deps }));
}

/** An endpoint for a test; open access unless stated otherwise. */
export function testEndpoint(spec: Partial<AnyRouteSpec> & { path: string }, handler: AnyHandler): Endpoint {
  const stated = {
    method: 'get',
    operationId: 'test',
    tag: 'Test',
    summary: 'Test',
    description: 'Test.',
    access: openAccess,
    ok: { contentTypes: ['text/plain'], description: 'Test.' },
    ...spec,
  } as AnyRouteSpec;
  return { spec: stated, handler };
}
