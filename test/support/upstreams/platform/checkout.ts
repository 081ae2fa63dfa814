import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandResult, runNode } from '../../../../scripts/lib/commands.ts';
import { ROOT } from '../../../../scripts/lib/paths.ts';
import type { Platform } from './platform.ts';

/** What a deployment may write. The rest of the checkout is linked. */
const COPIED = ['scripts', 'assets', 'clients', 'wrangler.toml'];
const OMITTED = ['.git', '.local', '.wrangler', '.dev.vars'];

/** Secrets of a first deployment. */
export const SECRETS: Readonly<Record<string, string>> = {
  TOKEN_KEY: 't'.repeat(44),
  SESSION_SECRET: 's'.repeat(44),
  WEBHOOK_SECRET: 'w'.repeat(44),
  MAIL_API_KEY: 'mail-key',
  CAPTCHA_SECRET: 'captcha-secret',
  SUPERUSER_EMAIL: 'admin@game.test',
  SUPERUSER_PASSWORD: 'correct horse battery staple',
};

/** A copy of the checkout whose configuration has an operator's values, for commands that write to it. */
export class DeployCheckout {
  readonly root = mkdtempSync(join(tmpdir(), 'checkout-'));
  readonly secretsFile = join(this.root, 'secrets.env');
  readonly #config = join(this.root, 'wrangler.toml');
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
    for (const name of readdirSync(ROOT)) {
      if (OMITTED.includes(name)) continue;
      const target = join(this.root, name);
      if (COPIED.includes(name)) cpSync(join(ROOT, name), target, { recursive: true });
      else symlinkSync(join(ROOT, name), target);
    }
    mkdirSync(join(this.root, '.local'));
    this.config = withValues(this.config, platform.secureOrigin);
    this.writeSecrets(SECRETS);
  }

  get config(): string {
    return readFileSync(this.#config, 'utf8');
  }

  set config(text: string) {
    writeFileSync(this.#config, text);
  }

  writeSecrets(secrets: Readonly<Record<string, string>>): void {
    const lines = Object.entries(secrets).map(([name, value]) => `${name}="${value}"\n`);
    writeFileSync(this.secretsFile, lines.join(''));
  }

  /** Runs `npm run deploy -- production` with options, against the stand-in. */
  deploy(...options: string[]): Promise<CommandResult> {
    return this.run('scripts/deploy/deploy.ts', 'production', ...options);
  }

  /** Runs a script of the copy. */
  run(script: string, ...args: string[]): Promise<CommandResult> {
    return runNode(join(this.root, script), args, { cwd: this.root, env: { ...this.#platform.env, TOKEN_KEY: SECRETS.TOKEN_KEY ?? '' } });
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

/** wrangler.toml with the values of step 4 of docs/operations/deploy.md in the environment `production`. */
function withValues(toml: string, origin: string): string {
  const vars = {
    BASE_URL: origin,
    REGION: 'weur',
    SECURITY_CONTACT: 'mailto:security@game.test',
    MAIL_FROM: 'Game Data API <no-reply@game.test>',
    UPSTREAM_USER_AGENT: 'game-data-api/1.0 (+https://game.test)',
    CAPTCHA_SITEKEY: '0x0000000000000000000000',
  };
  const lines = Object.entries(vars).map(([name, value]) => `${name} = "${value}"`);
  const header = '[env.production.vars]\n';
  return toml
    .replace(`${header}BASE_URL = ""`, header + lines.join('\n'))
    .replace(
      'pattern = "api.example.com", custom_domain = true }]\n# The version',
      `pattern = "${new URL(origin).host}", custom_domain = true }]\n# The version`,
    );
}
