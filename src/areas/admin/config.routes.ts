import { z } from '@hono/zod-openapi';
import type { Caller } from '../../platform/access/policy/admission.ts';
import { adminAccess } from '../../platform/access/policy/policy.ts';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { severalLines } from '../../platform/http/bodies/typed-texts.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import type { SettingRegistry } from '../../platform/settings/setting-values.ts';
import { MAX_STRING_SETTING, type Setting, type SettingName } from '../../platform/settings/settings.data.ts';
import type { SettingOverride, SettingsStore } from '../../platform/settings/settings.store.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';

const scalar = (description: string, example: boolean | number | string) =>
  z.union([z.boolean(), z.number(), z.string()]).openapi({ description, example });
const bound = (description: string) => z.number().nullable().openapi({ description, example: null });

const SettingBody = z
  .object({
    key: z.string().openapi({ description: 'Key of the setting.', example: 'feature_market_enabled' }),
    category: z.string().openapi({ description: 'Group of settings.', example: 'features' }),
    type: namedEnum('SettingType', 'Type of a setting.', ['bool', 'int', 'float', 'str']).openapi({
      description: 'Type of the value.',
      example: 'bool',
    }),
    description: z.string().openapi({ description: 'Effect of the setting.', example: 'off: /v1/market/* return 404' }),
    secret: z.boolean().openapi({ description: 'Whether the value is masked in responses.', example: false }),
    min_value: bound('Minimum value, or null.'),
    max_value: bound('Maximum value, or null.'),
    choices: z
      .array(z.string().openapi({ example: 'one' }))
      .nullable()
      .openapi({ description: 'Allowed values of an enumeration, or null.', example: null }),
    default: scalar('Default value.', true),
    value: scalar('Effective value.', true),
    is_default: z.boolean().openapi({ description: 'Whether the default is in effect.', example: true }),
    updated_at: z.string().nullable().openapi({ description: 'Time when the override was set, or null.', example: null }),
    updated_by_user_id: z.string().nullable().openapi({ description: 'Id of the account that set the override, or null.', example: null }),
  })
  .openapi('SettingItem');

const SettingsBody = z
  .object({
    items: z.array(SettingBody).openapi({ description: 'All settings, by group.' }),
    count: z.number().int().openapi({ description: 'Number of settings.', example: 1 }),
  })
  .openapi('SettingItems');

const SettingInput = z
  .object({
    value: z
      .union([z.boolean(), z.number(), severalLines(z.string().max(MAX_STRING_SETTING))])
      .openapi({ description: 'New value, of the type of the setting.', example: 20 }),
  })
  .openapi('SettingValue');

const SettingParams = z.object({
  key: z.string().max(100).openapi({ description: 'Key of the setting.', example: 'leaderboards_anomaly_min_board_size' }),
});

/** Shown instead of the value of a secret. */
export const MASK = '********';

/** Masks the value of a secret unless it is empty. */
function toSettingBody(setting: Setting, value: Setting['default'], override: SettingOverride | undefined): z.infer<typeof SettingBody> {
  const secret = setting.secret === true;
  return {
    key: setting.key,
    category: setting.category,
    type: setting.type,
    description: setting.purpose,
    secret,
    min_value: 'min' in setting ? setting.min : null,
    max_value: 'max' in setting ? setting.max : null,
    choices: 'choices' in setting ? [...setting.choices] : null,
    default: setting.default,
    value: secret && value !== '' ? MASK : value,
    is_default: override === undefined,
    updated_at: override ? toIso(override.updatedAt) : null,
    updated_by_user_id: override?.updatedByUserId ?? null,
  };
}

/** Categories of settings in display order. */
export const CATEGORIES: readonly string[] = [
  'features',
  'rotations',
  'feedback',
  'api_rate_limits',
  'scope_multipliers',
  'publishing',
  'ocr_rate_limit',
  'accounts',
  'auth_rate_limits',
  'ingest_cooldown',
  'rate_limit_alerts',
  'alarms',
  'archive_rate_limits',
  'retention',
  'leaderboards',
  'game_status',
  'community_feeds',
  'activity',
  'client_libraries',
];

const shared = { tag: 'Administration', surface: 'portal', hidden: true, access: adminAccess } as const;

/** `/admin/config`: runtime settings. */
export function createConfigEndpoints(stored: SettingsStore, settings: SettingsSource, registry: SettingRegistry): Endpoint[] {
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
