import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Visitor, World } from './world.ts';

/** Writes that a browser would send with its cookies. */
const TARGETS = ['/auth/refresh', '/auth/logout', '/auth/logout-all', '/auth/delete-account', '/tokens', '/admin/giveaways'];

/** By which browsers tell whose page it is that asks. */
const FOREIGN_HEADERS = [
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-site'],
] as const;

/** What pages of others can make a browser do: nothing that counts. */
export async function refuseOthers(world: World, visitor: Visitor): Promise<void> {
  await refuseForeignOrigins(world.url, visitor);
  await refuseForeignPages(world, visitor);
}

/** Requests as a browser sends them for pages of other origins, with its cookies. */
async function refuseForeignOrigins(url: string, { context }: Visitor): Promise<void> {
  const cookies = (await context.cookies(`${url}/auth/refresh`)).map(({ name, value }) => `${name}=${value}`).join('; ');
  for (const path of TARGETS) {
    for (const [name, value] of FOREIGN_HEADERS) {
      const forged = await fetch(`${url}${path}`, { method: 'POST', headers: { Cookie: cookies, [name]: value } });
      assert.ok([401, 403].includes(forged.status), `${path} with ${name}: ${value} is ${forged.status}`);
    }
  }
}

/** A page on another port of this machine: browsers take it for the same site, so that it gets every cookie along. */
async function refuseForeignPages({ url }: World, { context, page }: Visitor): Promise<void> {
  const attacker = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>evil</title><iframe src="${url}/portal/tokens"></iframe>
      <form method="post" action="${url}/auth/logout"><button>Win a prize</button></form>
      <script>
        const forge = (path) => fetch('${url}' + path, { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => {});
        Promise.all(${JSON.stringify(TARGETS)}.map(forge)).then(() => { document.title = 'sent'; });
      </script>`);
  });
  await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
  try {
    const elsewhere = await context.newPage();
    await elsewhere.goto(`http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`);
    await elsewhere.waitForFunction("document.title === 'sent'");
    const framed = await Promise.all(
      elsewhere
        .frames()
        .slice(1)
        .map((frame) => frame.content().catch(() => '')),
    );
    assert.ok(
      framed.every((content) => !content.includes('New token')),
      'no page of ours is shown in a frame',
    );
    const answered = elsewhere.waitForResponse(`${url}/auth/logout`);
    await elsewhere.getByRole('button', { name: 'Win a prize' }).click();
    assert.equal((await answered).status(), 403);
    // A page that is closed while it changes to another may never say that it is closed.
    await elsewhere.waitForURL(`${url}/auth/logout`);
    await elsewhere.close();
  } finally {
    attacker.closeAllConnections();
    attacker.close();
  }
  await page.goto(`${url}/portal/tokens`);
  await page.getByRole('heading', { name: 'my bot' }).waitFor();
}
