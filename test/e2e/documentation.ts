import type { Locator, Page } from '@playwright/test';

/** Questions of newcomers, with the URL prefix of the section that has the information. */
const QUESTIONS = [
  ['how do I get the next merchant visit', '/docs/quickstart#'],
  ['why 429', '/docs/errors#rate_limited'],
  ['resume the stream', '/docs/event-stream#resume'],
] as const;

/** Number of top results that must include the section. */
const MAX_RESULTS = 3;
const OPERATION = '/docs/reference/service#getToken';

const INDEX_TIMEOUT_MS = 60_000;
const POLL_MS = 250;

/** Copies the documentation into the search, as the job of the next minute would. */
export async function indexDocumentation(url: string, superuserToken: string): Promise<void> {
  const headers = { Authorization: `Bearer ${superuserToken}` };
  const started = await fetch(`${url}/admin/jobs/search-index/run`, { method: 'POST', headers });
  if (!started.ok) throw new Error(`the job of the search did not start: ${started.status}`);
  for (const end = performance.now() + INDEX_TIMEOUT_MS; performance.now() < end; ) {
    const response = await fetch(`${url}/v1/search?q=quickstart&types=doc`, { headers });
    if (((await response.json()) as { count: number }).count > 0) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('the documentation was not indexed in time');
}

/** Searches the documentation with the keyboard only, and sends a request from the reference. */
export async function useDocumentation(url: string, page: Page, token: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [question, expected] of QUESTIONS) problems.push(...(await search(url, page, question, expected)));
  return [...problems, ...(await sendRequest(url, page, token))].map((complaint) => `docs  ${complaint}`);
}

async function search(url: string, page: Page, question: string, expected: string): Promise<string[]> {
  await page.goto(`${url}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type(question);
  const results = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  await results.first().waitFor();
  const covered = await coveredOf(results);
  if (covered > 0) return [`${covered} search results for "${question}" are covered by the page`];
  const targets = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const place = targets.findIndex((target) => target?.startsWith(expected));
  if (place < 0 || place >= MAX_RESULTS) return [`"${question}" finds ${targets.slice(0, MAX_RESULTS).join(', ')}`];
  for (let presses = 0; presses <= place; presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}${targets[place]}`);
  return [];
}

/** Number of visible results that are not on top at both of their ends. */
function coveredOf(results: Locator): Promise<number> {
  return results.evaluateAll((links) => {
    const isCovered = (link: (typeof links)[number]) => {
      const { left, right, top, height } = link.getBoundingClientRect();
      const isOnTop = (x: number) => link.contains(link.ownerDocument.elementFromPoint(x, top + height / 2));
      return !isOnTop(left + 8) || !isOnTop(right - 8);
    };
    // Results further down need scrolling.
    return links.slice(0, 5).filter(isCovered).length;
  });
}

async function sendRequest(url: string, page: Page, token: string): Promise<string[]> {
  const problems: string[] = [];
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.goto(`${url}${OPERATION}`);
  const operation = page.locator('.operation', { has: page.locator('#getToken') });
  await operation.getByRole('button', { name: /^Try it/ }).click();
  const optional = await operation.locator('form [id^="run-"]:not([required])').evaluateAll((inputs) => inputs.map((input) => input.value));
  if (optional.some((value) => value !== '')) problems.push(`optional parameters are filled in: ${optional.join(', ')}`);
  await operation.getByLabel(/^API token/).fill(token);
  await operation.getByRole('button', { name: 'Send GET' }).click();
  await operation.getByText(/^200/).waitFor();
  if (!(await operation.locator('.run pre').last().textContent())?.includes('"scopes"')) problems.push('the panel does not show the body');
  if (sent.some((address) => address.includes(token))) problems.push('the token is in an address');
  await page.evaluate('sessionStorage.clear()');
  return problems;
}
