import type { Caller } from '../../platform/access/policy/admission.ts';
import { adminAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import type { SettingRegistry } from '../../platform/settings/setting-values.ts';
import type { SettingName } from '../../platform/settings/settings.data.ts';
import type { SettingsRepository } from '../../platform/settings/settings.repository.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import { SettingBody, SettingInput, SettingParams, SettingsBody, toSettingBody } from './config.schemas.ts';

/** Categories of settings in display order. */
export const CATEGORIES: readonly string[] = [
  'features',
  'rotations',
  'feedback',
  'api_rate_limits',
  'scope_multipliers',
  'ocr_rate_limit',
  'accounts',
  'auth_rate_limits',
  'ingest_cooldown',
  'rate_limit_alerts',
  'archive_rate_limits',
  'leaderboards',
  'game_status',
  'community_feeds',
  'activity',
  'client_libraries',
];

const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess } as const;

/** `/admin/config`: runtime settings. */
export function createConfigEndpoints(stored: SettingsRepository, settings: SettingsSource, registry: SettingRegistry): Endpoint[] {
  const allNames = sortedNames(registry);

  /** Reads stored settings, bypassing the cache of the isolate. */
  async function readItems(names: readonly SettingName[]) {
    const overrides = await stored.overrides();
    const values = registry.valuesFrom(overrides);
    const byKey = new Map(overrides.map((override) => [override.key, override]));
    return names.map((name) => {
      const setting = registry.all[name];
      return toSettingBody(setting, values[name], byKey.get(setting.key));
    });
  }

  async function readItem(key: string) {
    const name = registry.nameOf(key);
    const [item] = name === undefined ? [] : await readItems([name]);
    if (!item) throw notFound(`setting not found: ${key}`);
    return item;
  }

  /** Replaces the settings of this isolate before the response is sent. */
  async function applyHere(): Promise<void> {
    settings.invalidate();
    await settings.current();
  }

  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/admin/config',
      operationId: 'listSettings',
      summary: 'List settings',
      description: 'Lists every runtime setting with its value, default and bounds.',
      ok: { description: 'The settings.', schema: SettingsBody },
    }).handle(async () => {
      const items = await readItems(allNames);
      return json({ items, count: items.length });
    }),

    defineRoute({
      ...shared,
      method: 'put',
      path: '/admin/config/{key}',
      operationId: 'setSetting',
      summary: 'Update a setting',
      description: 'Overrides the default. Takes effect everywhere within 30 seconds. Every change is logged.',
      params: SettingParams,
      body: SettingInput,
      errors: ['not_found'],
      ok: { description: 'The updated setting.', schema: SettingBody },
    }).handle(async ({ params: { key }, body: { value }, caller, now }) => {
      await stored.set({ key, value, now, userId: userOf(caller) });
      await applyHere();
      return json(await readItem(key));
    }),

    defineRoute({
      ...shared,
      method: 'delete',
      path: '/admin/config/{key}',
      operationId: 'resetSetting',
      summary: 'Reset a setting',
      description: 'Removes the override. Idempotent.',
      params: SettingParams,
      errors: ['not_found'],
      ok: { description: 'The updated setting.', schema: SettingBody },
    }).handle(async ({ params: { key }, caller, now }) => {
      await stored.clear({ key, now, userId: userOf(caller) });
      await applyHere();
      return json(await readItem(key));
    }),
  ];
}

/** All names by category; categories that are not in `CATEGORIES` come last. */
function sortedNames({ all }: SettingRegistry): SettingName[] {
  const names = Object.keys(all) as SettingName[];
  const categories = [...new Set([...CATEGORIES, ...names.map((name) => all[name].category)])];
  return categories.flatMap((category) => names.filter((name) => all[name].category === category));
}

function userOf(caller: Caller): string | null {
  return caller.kind === 'anonymous' ? null : caller.userId;
}
