import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStorage, pageScript } from '../../support/page-scripts.ts';

const { isMarkedSignedIn, markSignedIn, nameSignedIn, showAccount } = await pageScript('ui/signed-in.js');
let pages = 0;

const { storage, stored } = memoryStorage();
const account = { hidden: true, textContent: 'Account', firstElementChild: { textContent: 'Account' } };
const signIn = { remove: vi.fn() };

beforeEach(() => {
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('document', { getElementById: (id: string) => ({ 'account-link': account, 'sign-in-link': signIn })[id] ?? null });
  stored.clear();
  Object.assign(account, { hidden: true, firstElementChild: { textContent: 'Account' } });
  signIn.remove.mockClear();
});
afterEach(() => vi.unstubAllGlobals());

/** Runs the script of every page as for a new page. */
async function openPage(): Promise<void> {
  pages += 1;
  await pageScript(`ui/account-link.js?${pages}`);
}

describe('account link of the header', () => {
  it('replaces the link to sign in while the browser is marked as signed in', async () => {
    markSignedIn(true);
    await openPage();
    expect([account.hidden, signIn.remove.mock.calls.length]).toEqual([false, 1]);
  });

  it('stays hidden before the sign-in and after the sign-out', async () => {
    await openPage();
    markSignedIn(true);
    markSignedIn(false);
    await openPage();
    expect([account.hidden, signIn.remove.mock.calls.length]).toEqual([true, 0]);
  });

  it('shows the name where the page knows it', () => {
    showAccount('Ada');
    expect(account).toMatchObject({ hidden: false, firstElementChild: { textContent: 'Ada' } });
  });

  it('marks the browser as signed in on a page that the service made for the account', async () => {
    Object.assign(account, { hidden: false, textContent: ' Ada ' });
    await openPage();
    expect([isMarkedSignedIn(), nameSignedIn(), signIn.remove.mock.calls.length]).toEqual([true, 'Ada', 0]);
  });

  it('stays hidden when the browser blocks the storage', () => {
    vi.stubGlobal('localStorage', undefined);
    markSignedIn(true);
    expect(isMarkedSignedIn()).toBe(false);
  });
});
