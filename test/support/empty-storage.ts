import { env } from 'cloudflare:workers';
import { expectNoLeftovers } from './leftovers.ts';
import { emptyStorage, migrateDatabase } from './migrated-database.ts';
import { noteEmptyStorage } from './once-per-file.ts';
import { keepConsoleLines, loadServiceOnce } from './runner-patches.ts';
import { noteUsedObjects } from './used-objects.ts';
import './random-sizes.ts';

noteUsedObjects();
await emptyStorage();
await migrateDatabase(env.DB);
noteEmptyStorage();
(globalThis as { forgetService?: () => void }).forgetService?.();
keepConsoleLines();
loadServiceOnce();
expectNoLeftovers();
