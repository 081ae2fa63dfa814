import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page, Request } from '@playwright/test';
import { inRoot } from '../../scripts/lib/paths.ts';
import type { Visitor, World } from './world.ts';

export const SCREENSHOTS = inRoot('.local', 'screenshots');
/** Set while nobody looks at screenshots: they take as long as the checks. */
const HAS_SCREENSHOTS = process.env.E2E_SCREENSHOTS !== 'false';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Maximum compressed size of a page with everything it loads. */
const MAX_PAGE_BYTES = 150 * 1024;
/** Maximum sum of layout shifts. */
const MAX_SHIFT = 0.05;
const PHONE = { width: 390, height: 844 };
/** Phone widths in pixels; elements must not overflow them. */
const PHONE_WIDTHS = [390, 360];
const DESKTOP = { width: 1280, height: 900 };

/** Rules of axe whose result depends on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Resolves after the fonts are loaded and two frames are painted. */
const PAINTED = `document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))`;

/** Adds up the layout shifts of a page from the start. */
const WATCH_SHIFTS = `window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

/** Visible elements that overflow the screen, except inside containers that scroll or clip. */
const OFF_SCREEN = `[...document.querySelectorAll('body *')].filter((element) => {
  const { width, left, right } = element.getBoundingClientRect();
  if (width === 0 || right < 0 || (left >= -1 && right <= document.documentElement.clientWidth + 1)) return false;
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (getComputedStyle(parent).overflowX !== 'visible' && parent !== document.body) return false;
  return true;
}).slice(0, 5).map(({ nodeName, id, className }) => [nodeName, id, className].join(' '))`;

/** Tables with columns that are cut on a phone, also inside folded parts: a container that scrolls hides them. */
const CUT_TABLES = `(() => {
  for (const part of document.querySelectorAll('main details')) part.open = true;
  return [...document.querySelectorAll('table')].filter((table) => table.checkVisibility()).flatMap((table) => {
    let box = table.parentElement;
    while (box !== document.body && getComputedStyle(box).overflowX === 'visible') box = box.parentElement;
    const cut = table.scrollWidth - box.clientWidth;
    return cut > 1 ? [(box.getAttribute('aria-label') ?? table.caption?.textContent ?? 'a table') + ' by ' + cut + ' px'] : [];
  });
})()`;

/**
 * Controls of the open dialog that are not wholly inside it, the screen and every container that scrolls or clips. A dialog may scroll
 * vertically, nothing sideways.
 */
const CLIPPED = `(() => {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  if (!dialog) return ['no dialog is open'];
  const controls = [...dialog.querySelectorAll('button, input, select, textarea, a')].filter((element) => element.checkVisibility());
  if (controls.length < 2) return ['the dialog has no controls'];
  return controls.flatMap((element) => {
    element.scrollIntoView({ block: 'nearest' });
    const parents = [];
    for (let parent = element.parentElement; parent !== dialog.parentElement; parent = parent.parentElement) parents.push(parent);
    for (const parent of parents) parent.scrollLeft = 0;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const clips = parents.filter((parent) => parent === dialog || getComputedStyle(parent).overflowX !== 'visible');
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const isInside = [...clips.map((parent) => parent.getBoundingClientRect()), screen].every(
      (box) => left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1,
    );
    return isInside ? [] : [(element.textContent.trim() || element.name || element.id) + ' at ' + Math.round(left) + '-' + Math.round(right)];
  });
})()`;

export interface PageReport {
  path: string;
  violations: string[];
  bytes: number;
  shift: number;
}

/** The server, and the secrets that must not appear on a page. */
type Surroundings = Pick<World, 'url' | 'secrets'>;

/**
 * Visits pages in both themes and both sizes. Checks accessibility, size, layout shifts, framing and leaked secrets, and takes
 * screenshots.
 */
async function visitPages(world: Surroundings, { page, context }: Visitor, paths: readonly string[]): Promise<PageReport[]> {
  await context.addInitScript(WATCH_SHIFTS);
  const reports: PageReport[] = [];
  for (const path of paths) reports.push(await visit(world, page, path));
  return reports;
}

/** As `visitPages`, for one page in one state. `name`: file name of the screenshots. */
export async function visit({ url, secrets }: Surroundings, page: Page, path: string, name = nameOf(path)): Promise<PageReport> {
  await page.setViewportSize(DESKTOP);
  const traffic = watchTraffic(page);
  const response = await page.goto(`${url}${path}`);
  await settle(page, traffic);
  const bytes = (await traffic.end()).reduce((sum, body) => sum + gzipSync(body).length, 0);
  const shift = Number(await page.evaluate('window.shifts'));
  const violations = [...framingOf(response?.headers() ?? {}), ...(await leaksIn(page, secrets))];
  for (const [size, prefix, suffix] of [
    [DESKTOP, '', ''],
    [PHONE, 'phone, ', '-phone'],
  ] as const) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await violationsOf(page, colorScheme === 'light' ? undefined : COLOR_RULES);
      violations.push(...found.map((violation) => `${prefix}${colorScheme}: ${violation}`));
      await takeScreenshot(page, `${name}${suffix}-${colorScheme}`);
    }
  }
  for (const width of PHONE_WIDTHS) {
    await page.setViewportSize({ ...PHONE, width });
    violations.push(...((await page.evaluate(OFF_SCREEN)) as string[]).map((found) => `${width} px: off the screen: ${found}`));
    violations.push(...((await page.evaluate(CUT_TABLES)) as string[]).map((found) => `${width} px: columns are cut: ${found}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return { path, violations, bytes, shift };
}

/** Requests of a page from now on. Streams are left out: they never end. */
export interface Traffic {
  /** Resolves when no request is open. */
  idle(): Promise<void>;
  /** Stops watching. Resolves with the received bodies. */
  end(): Promise<Buffer[]>;
}

export function watchTraffic(page: Page): Traffic {
  const open = new Set<Request>();
  const bodies: Promise<Buffer | null>[] = [];
  let onIdle = () => {};
  const onRequest = (request: Request) => {
    if (!request.url().includes('/stream')) open.add(request);
  };
  const onFailed = (request: Request) => {
    open.delete(request);
    if (open.size === 0) onIdle();
  };
  const onFinished = (request: Request) => {
    if (open.has(request)) {
      const body = request.response().then((response) => response?.body() ?? null);
      bodies.push(body.catch(() => null));
    }
    onFailed(request);
  };
  page.on('request', onRequest).on('requestfailed', onFailed).on('requestfinished', onFinished);
  return {
    idle: async () => {
      if (open.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
    end: async () => {
      page.off('request', onRequest).off('requestfailed', onFailed).off('requestfinished', onFinished);
      return (await Promise.all(bodies)).filter((body) => body !== null);
    },
  };
}

/** Problems of the headers that prevent framing by other sites (clickjacking). */
function framingOf(headers: Readonly<Record<string, string>>): string[] {
  const isRefused = headers['x-frame-options'] === 'DENY' && headers['content-security-policy']?.includes("frame-ancestors 'none'");
  return isRefused ? [] : ['may be framed by other sites'];
}

/** Elements injected by user input, and secrets that may be displayed only once. */
async function leaksIn(page: Page, secrets: ReadonlySet<string>): Promise<string[]> {
  const smuggled = Number(await page.evaluate(`document.querySelectorAll('img[src="x"], script:not([src])').length`));
  const seen = `${await page.content()} ${await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')}`;
  return [
    ...(smuggled > 0 ? [`has ${smuggled} elements injected by user input`] : []),
    ...([...secrets].some((secret) => seen.includes(secret)) ? ['shows a secret again'] : []),
  ];
}

/** Waits until the page has loaded its data and painted it. */
export async function settle(page: Page, traffic: Traffic): Promise<void> {
  await page.waitForLoadState('load');
  await traffic.idle();
  await page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
  await page.evaluate(PAINTED);
}

/** Checks the open dialog on a phone and a desktop: accessibility, and that every control is wholly visible. Takes screenshots. */
export async function dialogProblems(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    const clipped = (await page.evaluate(CLIPPED)) as string[];
    problems.push(
      ...[...clipped.map((found) => `clipped: ${found}`), ...(await violationsOf(page))].map((found) => `${size.width} px: ${found}`),
    );
    await takeScreenshot(page, `dialog-${name}-${size.width}`);
  }
  return problems.map((problem) => `dialog ${name}  ${problem}`);
}

/** Takes a screenshot of the current page, for people. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (HAS_SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

const nameOf = (path: string) => path.replace(/^\//, '').replaceAll('/', '-').replace(/\?.*/, '') || 'front';

/**
 * Violations found by axe, each with its first element. `rules`: only these. Runs axe through the debugger, because the page's policy
 * forbids eval.
 */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    if ((await page.evaluate('typeof axe')) === 'undefined') await session.send('Runtime.evaluate', { expression: AXE });
    const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
    const expression = `axe.run(${options}).then(({ violations }) =>
      violations.map(({ id, help, nodes }) => id + ': ' + help + ' at ' + nodes[0].html.slice(0, 160)))`;
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
    return result.value;
  } finally {
    await session.detach();
  }
}

/** Visits pages, prints their weights, and returns their problems. */
export async function problemsOn(world: Surroundings, visitor: Visitor, paths: readonly string[]): Promise<string[]> {
  const reports = await visitPages(world, visitor, paths);
  for (const { path, bytes, shift } of reports) {
    console.log(`        ${path.padEnd(34)} ${(bytes / 1024).toFixed(1).padStart(6)} KB gzip, shift ${shift.toFixed(3)}`);
  }
  return complaintsAbout(reports);
}

/** Problems of the visited pages. */
export function complaintsAbout(reports: readonly PageReport[]): string[] {
  return reports.flatMap(({ path, violations, bytes, shift }) => [
    ...violations.map((violation) => `${path}  ${violation}`),
    ...(bytes > MAX_PAGE_BYTES ? [`${path}  weighs ${bytes} bytes`] : []),
    ...(shift > MAX_SHIFT ? [`${path}  shifts by ${shift.toFixed(3)}`] : []),
  ]);
}
