import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import alarms from '../../../docs/operations/alarms.md?raw';
import runbook from '../../../docs/operations/runbook.md?raw';
import { composeApp, EVENTS, SCOPES, SETTINGS } from '../../../src/composition.ts';
import { SCOPES as DECLARED_SCOPES, SETTINGS as DECLARED_SETTINGS } from '../../support/declarations.ts';

describe('composeApp', () => {
  const service = composeApp(env);

  it('has a schema for each event type, which its sample matches', async () => {
    const schemas = await service.service.eventSchemas();
    for (const { type, sample } of EVENTS.all)
      expect([type, schemas[type]?.parse(sample(1_773_156_600))]).toEqual([type, sample(1_773_156_600)]);
    const sources = service.service.eventSources().map(({ type }) => type);
    expect(sources).toEqual(EVENTS.all.filter(({ isDiscrete }) => !isDiscrete).map(({ type }) => type));
  });

  it('registers the scopes that the areas declare', () => {
    expect(SCOPES.names).toEqual(DECLARED_SCOPES.names);
  });

  it('registers the settings that the areas declare', () => {
    expect(Object.keys(SETTINGS.all).sort()).toEqual(Object.keys(DECLARED_SETTINGS.all).sort());
  });

  it('has a section in alarms.md and a row in runbook.md for each job, and none for others', () => {
    const namesIn = (text: string) => [...text.matchAll(/`([a-z0-9*-]+)`/g)].map(([, name = '']) => name);
    const names = service.jobs.map(({ name }) => name).toSorted();
    const [, jobs = ''] = alarms.split(/^# Jobs$/m);
    expect(namesIn(jobs.match(/^## .*$/gm)?.join(' ') ?? '').toSorted()).toEqual(names);
    const [, table = ''] = /^## A job fails$(.*?)^## /ms.exec(runbook) ?? [];
    const rows = namesIn(table.match(/^\| `[^|]*\|/gm)?.join(' ') ?? '');
    const listed = rows.flatMap((row) => (row.endsWith('*') ? names.filter((name) => name.startsWith(row.slice(0, -1))) : [row]));
    expect(listed.toSorted()).toEqual(names);
  });

  it('has no two jobs with the same name', async () => {
    const names = (await service.scheduler.status(0)).map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].sort());
    expect(names).toEqual(expect.arrayContaining(['game-status', 'events-watch', 'mail']));
  });
});
