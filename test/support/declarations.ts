import { createWebhookEvents } from '../../src/areas/webhooks/webhook-events.ts';
import { createScopeRegistry, type ScopeDeclarations } from '../../src/platform/access/policy/scopes.ts';
import { type AnyEventDeclaration, createEventRegistry } from '../../src/platform/events/event-declaration.ts';
import { createSettingRegistry } from '../../src/platform/settings/setting-values.ts';
import { platformSettings, type SettingDeclarations } from '../../src/platform/settings/settings.data.ts';

declare global {
  interface ImportMeta {
    /** Vite imports the files at build time, also for workerd. */
    glob<Module>(pattern: string, options: { eager: true }): Record<string, Module>;
  }
}

type Modules<Declarations> = Record<string, Record<string, Declarations>>;

const scopes: Modules<ScopeDeclarations> = import.meta.glob('../../src/areas/*/*.scopes.ts', { eager: true });

const settings: Modules<SettingDeclarations> = import.meta.glob('../../src/areas/*/*.settings.ts', { eager: true });

const events: Record<string, Record<string, AnyEventDeclaration | readonly AnyEventDeclaration[]>> = import.meta.glob(
  '../../src/areas/*/events.ts',
  { eager: true },
);

const declaredIn = <Declarations>(modules: Modules<Declarations>) => Object.values(modules).flatMap((module) => Object.values(module));

/** All scopes, for tests that do not compose the service. */
export const SCOPES = createScopeRegistry(declaredIn(scopes));

/** All settings, for tests that do not compose the service. */
export const SETTINGS = createSettingRegistry([platformSettings, ...declaredIn(settings)]);

export const DEFAULT_SETTINGS = SETTINGS.defaults;

/** All event types, for tests that do not compose the service. */
export const EVENTS = createEventRegistry(Object.values(events).flatMap((module) => Object.values(module).flat()));

export const WEBHOOK_EVENTS = createWebhookEvents(EVENTS);
