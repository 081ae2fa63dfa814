import type { Page } from 'playwright-core';

/** Questions of newcomers, and how the addresses of the parts that answer them start. */
const QUESTIONS = [
  ['how do I get the next merchant visit', '/docs/quickstart#'],
  ['why 429', '/docs/rate-limits#'],
  ['resume the stream', '/docs/event-stream#resume'],
] as const;

/** Results among which an answer has to be. */
const RESULTS_READ = 3;
const OPERATION = '/docs/reference/service#getToken';

/** Finds answers with the search of the documentation, by the keyboard alone, and sends a request from the reference. */
export async function useDocumentation(url: string, page: Page, token: string): Promise<string[]> {
  const found: string[] = [];
  for (const [question, answer] of QUESTIONS) found.push(...(await ask(url, page, question, answer)));
  return [...found, ...(await sendRequest(url, page, token))].map((complaint) => `docs  ${complaint}`);
}

async function ask(url: string, page: Page, question: string, answer: string): Promise<string[]> {
  await page.goto(`${url}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type(question);
  const results = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  await results.first().waitFor();
  const targets = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const place = targets.findIndex((target) => target?.startsWith(answer));
  if (place < 0 || place >= RESULTS_READ) return [`"${question}" finds ${targets.slice(0, RESULTS_READ).join(', ')}`];
  for (let presses = 0; presses <= place; presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}${targets[place]}`);
  return [];
}

async function sendRequest(url: string, page: Page, token: string): Promise<string[]> {
  const found: string[] = [];
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.goto(`${url}${OPERATION}`);
  const operation = page.locator('.operation', { has: page.locator('#getToken') });
  await operation.getByRole('button', { name: /^Run/ }).click();
  const optional = await operation.locator('form [id^="run-"]:not([required])').evaluateAll((inputs) => inputs.map((input) => input.value));
  if (optional.some((value) => value !== '')) found.push(`optional parameters are filled in: ${optional.join(', ')}`);
  await operation.getByLabel(/^API token/).fill(token);
  await operation.getByRole('button', { name: 'Send GET' }).click();
  await operation.getByText(/^200/).waitFor();
  if (!(await operation.locator('.run pre').last().textContent())?.includes('"scopes"')) found.push('the panel does not show the body');
  if (sent.some((address) => address.includes(token))) found.push('the token is in an address');
  await page.evaluate('sessionStorage.clear()');
  return found;
}
