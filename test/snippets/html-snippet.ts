import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from '@playwright/test';
import { BROWSER_ARGS, findChromium } from '../e2e/find-chromium.ts';

const FILL_MS = 8_000;
/** Runs in the page: whether its script has filled every element that has an id. */
const IS_FILLED = "[...document.querySelectorAll('[id]')].every((element) => element.textContent.trim() !== '')";

/** Opens a page from an origin of its own. What went wrong; null when its scripts filled it without an error. */
export type DrawPage = (html: string) => Promise<string | null>;

/** A page with scripts, in a browser where there is one; else only the syntax of its scripts is checked. */
export async function pageFault(html: string, drawPage: DrawPage | null): Promise<string | null> {
  return drawPage === null ? scriptFault(html) : await drawPage(html);
}

/** Scripts of a page must parse as modules. */
function scriptFault(html: string): string | null {
  const scripts = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text = '']) => text);
  if (scripts.length === 0) return 'the page has no script';
  const { status, stderr } = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], {
    input: scripts.join('\n'),
    encoding: 'utf8',
  });
  return status === 0 ? null : stderr.trim();
}

/** The browser of this machine; null when there is none. */
export async function openBrowser(): Promise<{ drawPage: DrawPage; close(): Promise<void> } | null> {
  const executablePath = findChromium();
  if (executablePath === null) return null;
  const browser = await chromium.launch({ executablePath, args: BROWSER_ARGS });

  async function drawPage(html: string): Promise<string | null> {
    const server = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) errors.push(message.text());
    });
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: 'domcontentloaded' });
      const isFilled = await page
        .waitForFunction(IS_FILLED, null, { timeout: FILL_MS })
        .then(() => true)
        .catch(() => false);
      if (errors.length > 0) return errors.join('; ');
      return isFilled ? null : 'an element with an id stayed empty';
    } finally {
      await page.close();
      server.close();
      server.closeAllConnections();
    }
  }

  return { drawPage, close: () => browser.close() };
}
