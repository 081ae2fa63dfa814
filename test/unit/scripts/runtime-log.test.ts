import { expect, it } from 'vitest';
import { runtimeLogText } from '../../../scripts/lib/dev/runtime-log.ts';

it.each([
  [
    'e = workerd/util/sqlite.c++:1757: failed: SQLite failed; dbErrorMessage(err, db) = database or disk is full: SQLITE_FULL\nstack: /x/workerd@3bd; wdErrId = 4g',
    'The local database failed: database or disk is full: SQLITE_FULL',
  ],
  ['uncaught exception; e = remote.jsg.Error: x\nstack: /x/workerd@3bd /x/workerd@3be', 'uncaught exception; e = remote.jsg.Error: x'],
  ['stack: /x/workerd@3bd', ''],
  ['a line', 'a line'],
])('prints no stack of the runtime: %j', (message, text) => {
  expect(runtimeLogText(message)).toBe(text);
});
