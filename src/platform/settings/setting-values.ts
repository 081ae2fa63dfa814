import { MAX_STRING_SETTING, type Setting, type SettingDeclarations, type SettingName, type Settings } from './settings.data.ts';

/** Why a value is invalid for a setting; null when it is valid. A float setting accepts integers. */
export function settingProblem(setting: Setting, value: unknown): string | null {
  switch (setting.type) {
    case 'bool':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'str':
      if (typeof value !== 'string') return 'must be a string';
      if ('choices' in setting) return setting.choices.includes(value) ? null : `must be one of ${setting.choices.join(', ')}`;
      return value.length <= MAX_STRING_SETTING ? null : `must have at most ${MAX_STRING_SETTING} characters`;
    case 'int':
    case 'float':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      if (setting.type === 'int' && !Number.isInteger(value)) return 'must be an integer';
      return value >= setting.min && value <= setting.max ? null : `must be between ${setting.min} and ${setting.max}`;
  }
}

/** The settings of the platform and of all areas. */
export interface SettingRegistry {
  all: Readonly<Record<SettingName, Setting>>;
  /** The default of every setting. */
  defaults: Settings;
  /** The name in code of a stored key; undefined for an unknown key. */
  nameOf(key: string): SettingName | undefined;
  /** Settings from stored overrides (JSON text by key). Ignores unknown keys and invalid values. */
  valuesFrom(overrides: Iterable<{ key: string; value: string }>): Settings;
}

/** Throws when two settings share a name or a key. */
export function createSettingRegistry(declarations: readonly SettingDeclarations[]): SettingRegistry {
  const entries = declarations.flatMap((settings) => Object.entries(settings)) as [SettingName, Setting][];
  const all = Object.fromEntries(entries) as Record<SettingName, Setting>;
  const nameByKey = new Map<string, SettingName>(entries.map(([name, { key }]) => [key, name]));
  if (Object.keys(all).length < entries.length || nameByKey.size < entries.length) throw new Error('two settings share a name or a key');
  const defaults = Object.fromEntries(entries.map(([name, setting]) => [name, setting.default])) as unknown as Settings;

  return {
    all,
    defaults,
    nameOf: (key) => nameByKey.get(key),

    valuesFrom(overrides) {
      const values: Record<string, unknown> = { ...defaults };
      for (const { key, value } of overrides) {
        const name = nameByKey.get(key);
        const parsed = parseJson(value);
        if (name !== undefined && settingProblem(all[name], parsed) === null) values[name] = parsed;
      }
      return values as unknown as Settings;
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
