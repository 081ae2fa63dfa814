/** Hosts of Discord webhook URLs. */
export const CHAT_HOSTS: readonly string[] = ['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'];

/** The URL for a webhook post. `baseUrlOverride` replaces the Discord hosts in development; null in production. */
export function chatPostUrl(url: string, baseUrlOverride: string | null): string {
  const address = baseUrlOverride === null ? null : URL.parse(url);
  return address?.protocol === 'https:' && CHAT_HOSTS.includes(address.hostname)
    ? `${baseUrlOverride}${address.pathname}${address.search}`
    : url;
}
