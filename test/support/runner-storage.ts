import type { RunnerStorage } from '../../src/platform/durable/step-runner.ts';

/** In-memory storage of a Durable Object. The test triggers the alarm. */
export function memoryRunnerStorage(): RunnerStorage & { values: Map<string, unknown>; alarmAt: { value: number | null } } {
  const values = new Map<string, unknown>();
  const alarmAt: { value: number | null } = { value: null };
  return {
    values,
    alarmAt,
    kv: {
      get: <T>(key: string) => structuredClone(values.get(key)) as T | undefined,
      put: (key: string, value: unknown) => void values.set(key, structuredClone(value)),
      delete: (key: string) => values.delete(key),
    },
    getAlarm: async () => alarmAt.value,
    async setAlarm(at) {
      alarmAt.value = Number(at);
    },
    async deleteAlarm() {
      alarmAt.value = null;
    },
  };
}
