import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TYPESCRIPT_CLIENT } from '../../scripts/lib/clients/client-package.ts';
import { PYTHON_CLIENT } from '../../scripts/lib/clients/python-client.ts';
import { type ChatServer, startChatServer } from '../snippets/chat-server.ts';
import { importsTypescriptClient, linkTypescriptClient } from '../snippets/client-imports.ts';
import { type SnippetWorld, snippetFault, whyLanguageIsMissing } from '../snippets/run-snippet.ts';
import { type Snippet, snippetsOf } from '../snippets/snippets.ts';

let server: Server;
let chat: ChatServer;
let world: SnippetWorld;

beforeAll(async () => {
  server = createServer((request, response) => {
    const isFound = request.url === '/found';
    response.writeHead(isFound ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(isFound ? '{"a":1}' : '{"error":{"code":"not_found"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  chat = await startChatServer();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients = { typescript: TYPESCRIPT_CLIENT, python: PYTHON_CLIENT };
  world = {
    server: { base_url: url, token: 'token', superuser_token: 'superuser', portal: null, project_key: '' },
    chat,
    clients,
    drawPage: null,
  };
});

afterAll(() => {
  chat.close();
  server.close();
});

const block = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`;
const faultOf = (...blocks: string[]) => snippetFault(snippetsOf('page.md', blocks.join('\n')).at(-1) as Snippet, world);

describe.skipIf(whyLanguageIsMissing('bash') !== null)('snippetFault', () => {
  it('returns null when the response has the shape that the page shows', async () => {
    expect(await faultOf(block('bash', 'curl http://127.0.0.1:8787/found'), block('json', '{"a": 2}'))).toBeNull();
  });

  it('names the field when the response has another shape', async () => {
    expect(await faultOf(block('bash', 'curl http://127.0.0.1:8787/found'), block('json', '{"b": 2}'))).toContain(
      '.b is not in the output',
    );
  });

  it.each(['bash', 'js'])('reports a refused request that the page does not show: %s', async (language) => {
    const url = 'http://127.0.0.1:8787/nothing';
    expect(await faultOf(block(language, language === 'bash' ? `curl ${url}` : `await fetch('${url}');`))).toContain('exit 22');
  });

  it('accepts a refused request when the page shows its error', async () => {
    expect(await faultOf(block('bash', 'curl http://127.0.0.1:8787/nothing'), block('json', '{"error": {"code": "x"}}'))).toBeNull();
  });

  it('runs a program that an earlier block saved to a file', async () => {
    const saved = block('js file=bot.mjs', "if (process.env.GAME_DATA_TOKEN !== 'token') process.exit(1);");
    expect(await faultOf(saved, 'Text.\n', block('bash', 'node bot.mjs'))).toBeNull();
  });

  it('stops an endless program once it has written output', async () => {
    expect(await faultOf(block('bash id=endless-one', 'echo started; sleep 60'))).toBeNull();
  });

  it('reports an endless program that exits', async () => {
    expect(await faultOf(block('bash id=endless-one', 'echo done'))).toContain('ended with 0');
  });

  it('reports a bot that posts nothing', async () => {
    expect(await faultOf(block('bash', 'echo "$DISCORD_WEBHOOK_URL"'))).toContain('nothing was posted');
  });

  it('accepts a bot that posts a message', async () => {
    const post = `curl -H "Content-Type: application/json" -d '{"content": "x"}' "$DISCORD_WEBHOOK_URL"`;
    expect(await faultOf(block('bash', post))).toBeNull();
  });

  it('checks only the syntax of scripts in HTML without a browser', async () => {
    expect(await faultOf(block('html file=page.html', '<script>const a = ;</script>'))).toContain('SyntaxError');
    expect(await faultOf(block('html file=page.html', '<script type="module">await 1;</script>'))).toBeNull();
  });
});

describe.skipIf(whyLanguageIsMissing('python') !== null)('snippetFault', () => {
  it('lets a Python program import the Python client of this checkout', async () => {
    const program = 'from game_data_api import GameData\nprint(GameData("http://127.0.0.1:8787").get("/found")["a"])';
    expect(await faultOf(block('python', program))).toBeNull();
  });

  it('reports an error that the Python client raises', async () => {
    const program = 'from game_data_api import GameData\nGameData("http://127.0.0.1:8787").get("/nothing")';
    expect(await faultOf(block('python', program))).toContain('ApiError: 404');
  });
});

describe('importsTypescriptClient', () => {
  it.each([
    ['an import of the client', "import { createClient } from 'game-data-api';\n", true],
    ['the name of the client in other code', "console.log('game-data-api');", false],
  ])('recognises %s', (_, text, expected) => {
    expect(importsTypescriptClient({ text, saved: [] })).toBe(expected);
    expect(importsTypescriptClient({ text: 'node bot.mjs', saved: [{ name: 'bot.mjs', text }] })).toBe(expected);
  });
});

describe('linkTypescriptClient', () => {
  it('makes the client a package of the folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'snippet-test-'));
    linkTypescriptClient(folder, TYPESCRIPT_CLIENT);
    expect(realpathSync(join(folder, 'node_modules', 'game-data-api'))).toBe(realpathSync(TYPESCRIPT_CLIENT));
    rmSync(folder, { recursive: true });
  });
});
