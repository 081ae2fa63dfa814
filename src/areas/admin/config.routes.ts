import type { Caller } from '../../platform/access/policy/access-control.ts';
import { adminAccess } from '../../platform/access/policy/policy.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { settingNameOf, settingsFrom } from '../../platform/settings/setting-values.ts';
import { SETTINGS, type SettingName } from '../../platform/settings/settings.data.ts';
import type { SettingsRepository } from '../../platform/settings/settings.repository.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import { SettingBody, SettingInput, SettingParams, SettingsBody, toSettingBody } from './config.schemas.ts';

const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess } as const;

/** `/admin/config`: the run-time settings. */
export function createConfigEndpoints(stored: SettingsRepository, settings: SettingsSource): Endpoint[] {
  /** Settings as they are stored now, whatever this isolate remembers. */
  async function items(names: readonly SettingName[]) {
    const overrides = await stored.overrides();
    const values = settingsFrom(overrides);
    const byKey = new Map(overrides.map((override) => [override.key, override]));
    return names.map((name) => toSettingBody(name, values, byKey.get(SETTINGS[name].key)));
  }

  async function item(key: string) {
    const name = settingNameOf(key);
    const [found] = name === undefined ? [] : await items([name]);
    if (!found) throw notFound(`unknown setting: ${key}`);
    return found;
  }

  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/admin/config',
      operationId: 'listSettings',
      summary: 'Settings',
      description: 'Every run-time setting with its value, default and bounds.',
      ok: { description: 'The settings.', schema: SettingsBody },
    }).handle(async () => {
      const found = await items(Object.keys(SETTINGS) as SettingName[]);
      return json({ items: found, count: found.length });
    }),

    defineRoute({
      ...shared,
      method: 'put',
      path: '/admin/config/{key}',
      operationId: 'setSetting',
      summary: 'Change a setting',
      description: 'Overrides the default. Holds here at once and everywhere within five seconds; every change is kept in a log.',
      params: SettingParams,
      body: SettingInput,
      errors: ['not_found'],
      ok: { description: 'The setting as it is now.', schema: SettingBody },
    }).handle(async ({ params: { key }, body: { value }, caller, now }) => {
      await stored.set({ key, value, now, userId: userOf(caller) });
      settings.invalidate();
      return json(await item(key));
    }),

    defineRoute({
      ...shared,
      method: 'delete',
      path: '/admin/config/{key}',
      operationId: 'resetSetting',
      summary: 'Reset a setting',
      description: 'Goes back to the default; harmless when it is in force.',
      params: SettingParams,
      errors: ['not_found'],
      ok: { description: 'The setting as it is now.', schema: SettingBody },
    }).handle(async ({ params: { key }, caller, now }) => {
      await stored.clear({ key, now, userId: userOf(caller) });
      settings.invalidate();
      return json(await item(key));
    }),
  ];
}

function userOf(caller: Caller): string | null {
  return caller.kind === 'anonymous' ? null : caller.userId;
}
