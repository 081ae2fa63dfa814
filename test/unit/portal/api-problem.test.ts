import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

/** Page scripts have no types, so they are imported by computed path. */
const API_SCRIPT = pathToFileURL(`${process.cwd()}/src/assets/ui/api.js`).href;

it('ApiProblem explains a 404 of a switched-off feature', async () => {
  const { ApiProblem } = await import(/* @vite-ignore */ API_SCRIPT);
  expect(new ApiProblem(404, { code: 'not_found', message: 'path not found' }).message).toBe('This feature is switched off.');
  expect(new ApiProblem(404, { code: 'not_found', message: 'mod not found' }).message).toBe('mod not found');
});
