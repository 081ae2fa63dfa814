import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Visitor, World } from './world.ts';

/** Write endpoints that accept the browser's cookies. */
const TARGETS = ['/auth/refresh', '/auth/logout', '/auth/logout-all', '/auth/delete-account', '/tokens', '/admin/giveaways'];

/** Headers by which browsers report the origin of a request. */
const FOREIGN_HEADERS = [
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-site'],
] as const;

/** Checks that pages of other origins can neither write nor frame the portal. */
export async function refuseOthers(world: World, visitor: Visitor): Promise<void> {
  await refuseForeignOrigins(world.url, visitor);
  await refuseForeignPages(world, visitor);
}

/** Sends requests as a browser does for pages of other origins, with its cookies. */
async function refuseForeignOrigins(url: string, { context }: Visitor): Promise<void> {
  const cookies = (await context.cookies(`${url}/auth/refresh`)).map(({ name, value }) => `${name}=${value}`).join('; ');
  for (const path of TARGETS) {
    for (const [name, value] of FOREIGN_HEADERS) {
      const forged = await fetch(`${url}${path}`, { method: 'POST', headers: { Cookie: cookies, [name]: value } });
      assert.ok([401, 403].includes(forged.status), `${path} with ${name}: ${value} is ${forged.status}`);
    }
  }
}

/** Opens a page on another port of this host. Browsers treat it as the same site, so its requests carry all cookies. */
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
      'a page of the portal is shown in a frame',
    );
    const logoutResponse = elsewhere.waitForResponse(`${url}/auth/logout`);
    await elsewhere.getByRole('button', { name: 'Win a prize' }).click();
    assert.equal((await logoutResponse).status(), 403);
    // Wait for the navigation: closing a page during a navigation may never finish.
    await elsewhere.waitForURL(`${url}/auth/logout`);
    await elsewhere.close();
  } finally {
    attacker.closeAllConnections();
    attacker.close();
  }
  await page.goto(`${url}/portal/tokens`);
  await page.getByRole('heading', { name: 'my bot' }).waitFor();
}
