import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { dialogProblems } from './gallery.ts';
import { HOSTILE } from './journey.ts';
import type { Visitor, World } from './world.ts';

const ADDRESS = 'winged/story-wings';
/** The page of the author's project. */
export const PROJECT_PAGE = `/portal/projects/${ADDRESS}`;
const MIB = 1024 * 1024;
const KEY = /^gda_[A-Za-z0-9]{43}_[A-Za-z0-9]+$/;

/** Bytes that pass as a zip archive and that nobody published before. */
const newZip = (size: number) => Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), randomBytes(size)]);
const zipFile = (size: number) => ({ name: 'wings.zip', mimeType: 'application/zip', buffer: newZip(size) });

/** Notes whether the progress bar of the upload was visible with a share between 0 and 1. */
const WATCH_PROGRESS = `window.shares = [];
new MutationObserver(() => {
  const bar = document.getElementById('upload-progress');
  if (!bar.hidden) window.shares.push(bar.value);
}).observe(document.getElementById('upload-state'), { childList: true, characterData: true, subtree: true });`;

/** An author asks to publish, claims a mod, publishes a release by the page and one by a key, and withdraws one. Returns the problems of the dialogs. */
export async function authors(world: World, { page }: Visitor, administrator: Visitor): Promise<string[]> {
  await askToPublish(world.url, page, administrator.page);
  const problems = await claim(world, page);
  await confirm(world.url, administrator.page);
  await page.reload();
  await page.getByRole('link', { name: 'Manage the mod' }).click();
  await page.getByRole('heading', { name: 'Story Wings' }).waitFor();
  problems.push(...(await uploadDraft(page)), ...(await publishDraft(page)), ...(await useKey(world, page)));
  await page.reload();
  await page.getByText('Downloads by day (UTC)').waitFor();
  problems.push(...(await withdraw(page)));
  return problems;
}

/** Stores a mod without an owner, with markup in its texts. */
export async function insertMod(url: string, superuserToken: string): Promise<void> {
  const response = await fetch(`${url}/v1/mods/insert`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${superuserToken}` },
    body: JSON.stringify({
      handle: 'winged',
      title: 'Story Wings',
      summary: HOSTILE,
      release: { tag: '1.0.0', title: HOSTILE, changelog: HOSTILE, format: 'zip', artifact_base64: newZip(60).toString('base64') },
    }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** The account asks once, and an administrator agrees. */
async function askToPublish(url: string, page: Page, administrator: Page): Promise<void> {
  await page.goto(`${url}/portal/projects`);
  await page.getByLabel('What you want to publish').fill(HOSTILE);
  await page.getByRole('button', { name: 'Ask to publish' }).click();
  await page.getByText('You have asked.').waitFor();
  await administrator.goto(`${url}/portal/admin/mods`);
  const requests = administrator.locator('#access');
  await requests.getByRole('button', { name: 'Approve' }).click();
  await requests.getByText('None.').waitFor();
}

async function claim({ url }: World, page: Page): Promise<string[]> {
  await page.goto(`${url}/portal/projects`);
  await page.getByRole('button', { name: 'Claim a mod' }).click();
  const dialog = page.getByRole('dialog', { name: 'Claim a mod' });
  await dialog.getByLabel('Search the mod').fill('story wings');
  await dialog.getByRole('button', { name: new RegExp(ADDRESS) }).waitFor();
  const problems = await dialogProblems(page, 'claim');
  await dialog.getByRole('button', { name: new RegExp(ADDRESS) }).click();
  assert.equal(await dialog.getByLabel('Address').inputValue(), ADDRESS);
  await dialog.getByLabel('Evidence').fill(HOSTILE);
  await dialog.getByRole('button', { name: 'Claim', exact: true }).click();
  await page.getByRole('article').filter({ hasText: 'Story Wings' }).getByText('waiting').waitFor();
  return problems;
}

async function confirm(url: string, page: Page): Promise<void> {
  await page.goto(`${url}/portal/admin/mods`);
  await page.getByRole('row').filter({ hasText: ADDRESS }).getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('No open claims.').waitFor();
}

const rowOf = (page: Page, tag: string) => page.locator('#releases').getByRole('row').filter({ hasText: tag });

/** Uploads a file that is too large, then a large one with the progress bar. */
async function uploadDraft(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'New release' }).click();
  const dialog = page.getByRole('dialog', { name: 'New release' });
  const problems = await dialogProblems(page, 'release');
  await dialog.getByLabel('Tag').fill('1.1.0');
  await dialog.getByLabel('Notes').fill(HOSTILE);
  await dialog.getByLabel('File', { exact: true }).setInputFiles(zipFile(20 * MIB));
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'at most 20 MB' }).waitFor();
  await page.evaluate(WATCH_PROGRESS);
  await dialog.getByLabel('File', { exact: true }).setInputFiles(zipFile(12 * MIB));
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await rowOf(page, '1.1.0').getByText('draft', { exact: true }).waitFor();
  const shares = (await page.evaluate('window.shares')) as number[];
  assert.ok(
    shares.some((share) => share > 0),
    `the progress bar moves: ${shares.join(', ')}`,
  );
  return problems;
}

async function publishDraft(page: Page): Promise<string[]> {
  await rowOf(page, '1.1.0').getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit the draft' });
  // It opens with the whole texts, which the list does not have.
  await editor.waitFor();
  const problems = await dialogProblems(page, 'draft');
  await editor.getByLabel('Tag').fill('1.2.0');
  await editor.getByLabel('Title').fill('Six colours');
  await editor.getByRole('button', { name: 'Save' }).click();
  await rowOf(page, '1.2.0').getByText('Six colours').waitFor();
  await rowOf(page, '1.2.0').getByRole('button', { name: 'Publish' }).click();
  problems.push(...(await dialogProblems(page, 'publish')));
  await page.getByRole('dialog', { name: 'Publish the release' }).getByRole('button', { name: 'Publish' }).click();
  await rowOf(page, '1.2.0').getByText('published', { exact: true }).waitFor();
  return problems;
}

/** Creates a key, which is shown once, and publishes with it as a pipeline does. */
async function useKey({ url, secrets }: World, page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New project key' });
  const problems = await dialogProblems(page, 'project-key');
  await dialog.getByLabel('Name').fill('pipeline');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog', { name: 'Copy the key now' }).waitFor();
  const key = (await page.locator('#secret').textContent()) ?? '';
  assert.match(key, KEY);
  problems.push(...(await dialogProblems(page, 'project-secret')));
  await page.getByRole('button', { name: 'I have copied it' }).click();
  secrets.add(key);
  const form = new FormData();
  form.set('tag', '1.3.0');
  form.set('publish', 'true');
  form.set('file', new File([new Uint8Array(newZip(60))], 'wings.zip'));
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/v1/publishing/${ADDRESS}/releases`, { method: 'POST', headers, body: form });
  assert.equal(response.status, 201, await response.text());
  return problems;
}

async function withdraw(page: Page): Promise<string[]> {
  await rowOf(page, '1.3.0').getByRole('button', { name: 'Withdraw' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw the release' });
  const problems = await dialogProblems(page, 'withdraw');
  await dialog.getByLabel('Reason').fill(HOSTILE);
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await rowOf(page, '1.3.0').getByText('withdrawn', { exact: true }).waitFor();
  await page.locator('#audit').getByText('release withdrawn').waitFor();
  return problems;
}
