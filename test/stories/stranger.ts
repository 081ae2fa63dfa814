import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from './user.ts';

const TIMEOUT_MS = 60_000;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", '#x27': "'" };

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .trim();

/** A form of a page: the request that it sends, and the values of the fields by their names. */
interface FilledForm {
  method: string;
  path: string;
  values: Record<string, string | number>;
}

interface Submission {
  session?: string;
  id?: string;
  hidden?: Readonly<Record<string, string | number>>;
}

/** A stranger who starts at the front page and knows only what links and texts of pages say. */
export class Stranger {
  page = '';
  readonly user: User;
  /** Paths of the visited pages. */
  readonly #steps: string[] = [];

  private constructor(user: User) {
    this.user = user;
  }

  static async at(user: User, address: string, path = '/'): Promise<Stranger> {
    const stranger = new Stranger(user.from(address));
    await stranger.open(path);
    return stranger;
  }

  /** Opens an address that a message or a mail shows. */
  async open(path: string): Promise<void> {
    const { pathname, search } = new URL(path, this.user.devFile.base_url);
    this.page = await this.user.text(pathname + search);
    this.#steps.push(path);
  }

  /** Follows the first link with this text, or whose path matches. Throws if the page has none. Returns its path. */
  async follow(link: string | RegExp): Promise<string> {
    const links = [...this.page.matchAll(/<a\b[^>]*? href="([^"]+)"[^>]*>(.*?)<\/a>/gs)];
    const found = links.find(([, href = '', html = '']) => (typeof link === 'string' ? textOf(html) === link : link.test(textOf(href))));
    assert.ok(found !== undefined, this.#missing(`link ${link}`));
    const target = textOf(found[1] ?? '');
    await this.open(target);
    return target;
  }

  links(): string[] {
    return [...this.page.matchAll(/<a\b[^>]*? href="([^"]+)"/g)].map(([, href = '']) => textOf(href));
  }

  /** The first group of what the text of the page has. */
  copy(pattern: RegExp): string {
    const [, found] = pattern.exec(this.page.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')) ?? [];
    assert.ok(found !== undefined, this.#missing(`text ${pattern}`));
    return found;
  }

  /** The text of the page, without its tags. */
  text(): string {
    return textOf(this.page).replaceAll(/\s+/g, ' ');
  }

  /** The first code sample of a language that contains a text. */
  code(language: string, word: string): string {
    const blocks = [...this.page.matchAll(/<div class="code[^"]*" data-language="(\w+)">.*?<code[^>]*>(.*?)<\/code>/gs)];
    const found = blocks.filter(([, name]) => name === language).map(([, , html = '']) => textOf(html));
    const sample = found.find((text) => text.includes(word));
    assert.ok(sample !== undefined, this.#missing(`${language} sample with ${word}`));
    return sample;
  }

  /** The form whose button has this text, filled in: labels with the text of an option, or a value. */
  fill(button: string, answers: Readonly<Record<string, string>>): FilledForm {
    const forms = [...this.page.matchAll(/<form\b[^>]* data-sends="(\w+) ([^"]+)"[^>]*>(.*?)<\/form>/gs)];
    const form = forms.find(([, , , html = '']) => textOf(/<button type="submit".*?<\/button>/s.exec(html)?.[0] ?? '') === button);
    assert.ok(form !== undefined, this.#missing(`form with the button ${button}`));
    const [, method = '', path = '', html = ''] = form;
    const fields = Object.entries(answers).map(([label, answer]) => this.#valueOf(html, label, answer));
    return { method, path, values: Object.fromEntries(fields) };
  }

  #valueOf(form: string, label: string, answer: string): [string, string | number] {
    const labels = [...form.matchAll(/<label for="([\w-]+)">(.*?)<\/label>/gs)];
    const [, id = ''] = labels.find(([, , html = '']) => textOf(html) === label) ?? [];
    const [, tag = '', attributes = '', rest = ''] = new RegExp(`<(input|select)\\b([^>]* ?id="${id}"[^>]*)>(.*)`, 's').exec(form) ?? [];
    const name = / name="([^"]+)"/.exec(` ${attributes}`)?.[1] ?? '';
    assert.ok(id !== '' && name !== '', this.#missing(`field ${label}`));
    const options = [...(rest.split('</select>')[0] ?? '').matchAll(/<option value="([^"]*)"[^>]*>(.*?)<\/option>/gs)];
    const value = tag === 'select' ? options.find(([, , html = '']) => textOf(html) === answer)?.[1] : answer;
    assert.ok(value !== undefined, this.#missing(`option ${answer} of ${label}`));
    return [name, attributes.includes('data-send="number"') ? Number(value) : value];
  }

  /** Sends a form as the script of the page does. `id`: of the row whose dialog has the form; `hidden`: what the script takes from the address. */
  async submit(button: string, answers: Readonly<Record<string, string>>, { session, id = '', hidden = {} }: Submission = {}) {
    const { method, path, values } = this.fill(button, answers);
    return this.user.send(path.replace('{id}', id), { method, body: { ...values, ...hidden } }, session);
  }

  /** Runs a sample in a folder, with the Python client that the documentation offers. `python3` and `bash` are needed. */
  async run(program: 'bash' | 'python3', sample: string, { folder, env = {} }: { folder: string; env?: Record<string, string> }) {
    // A wheel is a zip archive, from which Python imports.
    const wheel = join(folder, 'client.whl');
    if (program === 'python3') writeFileSync(wheel, await this.user.bytes('/docs/assets/game_data_api-1.0.0-py3-none-any.whl'));
    const { token } = this.user.devFile;
    const options = { cwd: folder, input: sample, encoding: 'utf8', timeout: TIMEOUT_MS } as const;
    const result: SpawnSyncReturns<string> = spawnSync(program, program === 'bash' ? ['-e'] : ['-'], {
      ...options,
      env: { PATH: process.env.PATH, PYTHONPATH: wheel, GAME_DATA_TOKEN: token, ...env },
    });
    return result;
  }

  #missing(what: string): string {
    return `${this.#steps.join(' > ')}: no ${what}`;
  }
}

/** Gives a story a folder that is deleted afterwards. */
export async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'story-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
