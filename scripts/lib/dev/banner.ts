import type { DevFile } from './dev-file.ts';

export interface BannerFacts {
  isDemo: boolean;
  /** Outside services that have stand-ins. */
  standIns: readonly string[];
  platform: NodeJS.Platform;
}

/** What `npm start` shows once it serves. The commands paste into a POSIX shell and into PowerShell. */
export function describeServer({ base_url: baseUrl, token, superuser_token: superuserToken, portal }: DevFile, facts: BannerFacts): string {
  // In Windows PowerShell `curl` is something else.
  const curl = facts.platform === 'win32' ? 'curl.exe' : 'curl';
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
    ...(facts.isDemo ? [['data', 'made up for development, complete within a minute (-- --no-demo: none)']] : []),
    ...(facts.standIns.length > 0 ? [['stand-ins', `${facts.standIns.length} outside services, on this machine`]] : []),
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
