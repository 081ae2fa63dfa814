import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import { MAX_STRING_SETTING, type Setting } from '../../platform/settings/settings.data.ts';
import type { SettingOverride } from '../../platform/settings/settings.repository.ts';

const scalar = (description: string, example: boolean | number | string) =>
  z.union([z.boolean(), z.number(), z.string()]).openapi({ description, example });
const bound = (description: string) => z.number().nullable().openapi({ description, example: null });

export const SettingBody = z
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

export const SettingsBody = z
  .object({
    items: z.array(SettingBody).openapi({ description: 'All settings, by group.' }),
    count: z.number().int().openapi({ description: 'Number of settings.', example: 1 }),
  })
  .openapi('SettingItems');

export const SettingInput = z
  .object({
    value: z
      .union([z.boolean(), z.number(), z.string().max(MAX_STRING_SETTING)])
      .openapi({ description: 'New value, of the type of the setting.', example: 20 }),
  })
  .openapi('SettingValue');

export const SettingParams = z.object({
  key: z.string().max(100).openapi({ description: 'Key of the setting.', example: 'leaderboards_anomaly_min_board_size' }),
});

/** Shown instead of the value of a secret. */
export const MASK = '********';

/** Masks the value of a secret unless it is empty. */
export function toSettingBody(
  setting: Setting,
  value: Setting['default'],
  override: SettingOverride | undefined,
): z.infer<typeof SettingBody> {
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
