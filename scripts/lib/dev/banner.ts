import type { DevFile } from './dev-file.ts';
import type { StandIns } from './stand-ins.ts';

export interface BannerFacts {
  isDemo: boolean;
  standIns: Pick<StandIns, 'names' | 'chatMessagesUrl'>;
  platform: NodeJS.Platform;
}

/** Text that `npm start` prints once the server listens. The commands paste into a POSIX shell and into PowerShell. */
export function describeServer(
  { base_url: baseUrl, token, superuser_token: superuserToken, portal }: DevFile,
  { isDemo, standIns, platform }: BannerFacts,
): string {
  // `curl` is an alias of another command in Windows PowerShell.
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
    ...(isDemo ? [['data', 'made up for development, complete within a minute (-- --no-demo: none)']] : []),
    ...(standIns.names.length > 0 ? [['stand-ins', `for ${standIns.names.length} outside services, on this machine`]] : []),
    ...(standIns.chatMessagesUrl === null
      ? []
      : [['posts to webhooks', `${standIns.chatMessagesUrl} (any https://discord.com/api/webhooks/1/x will do)`]]),
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
