import { DEFAULT_SETTINGS, MAX_STRING_SETTING, SETTINGS, type Setting, type SettingName, type Settings } from './settings.data.ts';

/** Why a value does not suit a setting, or null when it does. Booleans are not integers; integers pass as floats. */
export function settingProblem(setting: Setting, value: unknown): string | null {
  switch (setting.type) {
    case 'bool':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'str':
      if (typeof value !== 'string') return 'must be a string';
      return value.length <= MAX_STRING_SETTING ? null : `must have at most ${MAX_STRING_SETTING} characters`;
    case 'int':
    case 'float':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      if (setting.type === 'int' && !Number.isInteger(value)) return 'must be an integer';
      return value >= setting.min && value <= setting.max ? null : `must be between ${setting.min} and ${setting.max}`;
  }
}

const NAME_BY_KEY = new Map<string, SettingName>(Object.entries(SETTINGS).map(([name, setting]) => [setting.key, name as SettingName]));

/** The name code uses for a stored key, or undefined for a key that is none. */
export function settingNameOf(key: string): SettingName | undefined {
  return NAME_BY_KEY.get(key);
}

/** Settings from stored overrides (JSON text by key). Unknown keys and corrupt or unsuitable values mean the default. */
export function settingsFrom(overrides: Iterable<{ key: string; value: string }>): Settings {
  const values: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  for (const { key, value } of overrides) {
    const name = settingNameOf(key);
    const parsed = parseJson(value);
    if (name !== undefined && settingProblem(SETTINGS[name], parsed) === null) values[name] = parsed;
  }
  return values as Settings;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
