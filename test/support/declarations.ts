import { createWebhookEvents } from '../../src/areas/webhooks/events/webhook-events.domain.ts';
import { createScopeRegistry, type ScopeDeclarations } from '../../src/platform/access/policy/scopes.ts';
import { type AnyEventDeclaration, createEventRegistry } from '../../src/platform/events/event-declaration.ts';
import { createSettingRegistry } from '../../src/platform/settings/setting-values.ts';
import { platformSettings, type SettingDeclarations, type Settings } from '../../src/platform/settings/settings.data.ts';
import type { SettingsSource } from '../../src/platform/settings/settings-cache.ts';

declare global {
  interface ImportMeta {
    /** Vite imports the files at build time, also for workerd. */
    glob<Module>(pattern: string | readonly string[], options: { eager: true }): Record<string, Module>;
  }
}

const declarations: Record<string, Record<string, unknown>> = import.meta.glob(
  ['../../src/areas/*/*.scopes.ts', '../../src/areas/*/*.settings.ts'],
  { eager: true },
);

const events: Record<string, Record<string, AnyEventDeclaration | readonly AnyEventDeclaration[]>> = import.meta.glob(
  '../../src/areas/*/*.events.ts',
  { eager: true },
);

/** Exports of the areas with a name: `…Scopes`, `…Settings`. */
const declared = <Declarations>(name: RegExp) =>
  Object.values(declarations).flatMap((module) =>
    Object.entries(module)
      .filter(([exported]) => name.test(exported))
      .map(([, value]) => value as Declarations),
  );

/** All scopes, for tests that do not compose the service. */
export const SCOPES = createScopeRegistry(declared<ScopeDeclarations>(/Scopes$/));

/** All settings, for tests that do not compose the service. */
export const SETTINGS = createSettingRegistry([platformSettings, ...declared<SettingDeclarations>(/Settings$/)]);

export const DEFAULT_SETTINGS = SETTINGS.defaults;

/** A source of settings that never change: the defaults with changes. */
export function fixedSettings(changes: Partial<Settings> = {}): SettingsSource {
  const settings = { ...DEFAULT_SETTINGS, ...changes };
  return { current: () => settings, invalidate: () => {} };
}

/** All event types, for tests that do not compose the service. */
export const EVENTS = createEventRegistry(Object.values(events).flatMap((module) => Object.values(module).flat()));

export const WEBHOOK_EVENTS = createWebhookEvents(EVENTS);
