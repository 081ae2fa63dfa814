import { DurableObject } from 'cloudflare:workers';
import { serviceContext } from '../../platform/area/service-context.ts';
import { backedUpTables } from '../../platform/kit/backup-decision.ts';
import { backupDecisionsOf } from '../../platform/kit/table-declaration.ts';
import { type BackupState, type Backups, createBackups } from './backup.service.ts';

/** Name of the single object. */
export const BACKUP = 'backup';

/** The single object that writes backups. */
export class BackupObject extends DurableObject<Env> {
  #backups!: Backups;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const { db, tokenFormat, service, env: variables } = await serviceContext(env);
      this.#backups = createBackups({
        db,
        tables: backedUpTables(backupDecisionsOf(service.tables)),
        bucket: env.BACKUPS,
        publicKey: variables.BACKUP_PUBLIC_KEY,
        secrets: {
          TOKEN_KEY: tokenFormat.key,
          SESSION_SECRET: env.SESSION_SECRET ?? null,
          WEBHOOK_SECRET: env.WEBHOOK_SECRET ?? null,
        },
        storage: ctx.storage,
        nowMs: Date.now,
      });
    });
  }

  /** See `Backups`. */
  start(): Promise<void> {
    return this.#backups.start();
  }

  state(): BackupState {
    return this.#backups.state();
  }

  override alarm(): Promise<void> {
    return this.#backups.alarm();
  }
}
