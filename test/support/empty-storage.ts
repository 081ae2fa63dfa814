import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expectNoLeftovers } from './leftovers.ts';
import { noteEmptyStorage } from './once-per-file.ts';
import { keepConsoleLines, loadServiceOnce } from './runner-patches.ts';

await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
noteEmptyStorage();
(globalThis as { forgetService?: () => void }).forgetService?.();
keepConsoleLines();
loadServiceOnce();
expectNoLeftovers();
