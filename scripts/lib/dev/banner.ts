import type { DevFile } from './dev-file.ts';
import type { MockServices } from './mock-services.ts';

export interface BannerFacts {
  isDemo: boolean;
  /** Tags of the folders of `--game`. */
  games: readonly string[];
  mocks: Pick<MockServices, 'names' | 'chatMessagesUrl'>;
  platform: NodeJS.Platform;
}

/** Text that `npm start` prints once the server listens. The commands work in a POSIX shell and in PowerShell. */
export function describeServer(
  { base_url: baseUrl, token, superuser_token: superuserToken, portal }: DevFile,
  { isDemo, games, mocks, platform }: BannerFacts,
): string {
  // In Windows PowerShell `curl` is an alias of another command.
  const curl = platform === 'win32' ? 'curl.exe' : 'curl';
  const rows = [
    ['Game Data HTTP API', baseUrl],
    ['documentation', `${baseUrl}/docs`],
    ['portal', `${baseUrl}/portal`],
    ...(portal
      ? [
          ['', `${portal.email}  ${portal.password}`],
          ['', `${portal.superuser_email}  ${portal.superuser_password}`],
        ]
      : []),
    ['mailbox', `${baseUrl}/portal/dev/mailbox`],
    ['token', token],
    ['superuser token', superuserToken],
    ...(isDemo ? [['data', 'demo data, added within a minute; a line tells when it is complete (-- --no-demo: none)']] : []),
    ...(games.length > 0 ? [['game', `${games.join(', ')}; lines tell the progress`]] : []),
    ...(mocks.names.length > 0 ? [['mock services', `replace ${mocks.names.length} external services`]] : []),
    ...(mocks.chatMessagesUrl === null
      ? []
      : [['posts to webhooks', `${mocks.chatMessagesUrl} (register any URL such as https://discord.com/api/webhooks/1/x)`]]),
  ];
  return `
${rows.map(([name = '', value = '']) => `${name.padEnd(19)}  ${value}`).join('\n')}
(also in .local/dev.json; -- --log shows requests; Ctrl-C stops)

Try:
  ${curl} ${baseUrl}/v1/rotations/server-time
  ${curl} -H "Authorization: Bearer ${token}" ${baseUrl}/v1/token
  ${curl} -N "${baseUrl}/v1/events/stream?types=challenge"
`;
}
