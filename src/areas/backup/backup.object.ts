import { DurableObject } from 'cloudflare:workers';
import { type BackupParts, type BackupState, type Backups, createBackups } from './backup.service.ts';

/** Name of the single object. */
export const BACKUP = 'backup';

/** The single object that writes backups. */
export abstract class BackupBase extends DurableObject<Env> {
  #backups!: Backups;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#backups = createBackups({ ...(await this.parts(env)), storage: ctx.storage, nowMs: Date.now });
    });
  }

  protected abstract parts(env: Env): Promise<BackupParts>;

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
