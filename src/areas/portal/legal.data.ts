export interface Chapter {
  title: string;
  paragraphs: readonly string[];
}

/** Sections of the privacy page after the stored data. */
export function privacyChapters(hasCaptcha: boolean): Chapter[] {
  return [
    {
      title: 'Network addresses',
      paragraphs: [
        'The service uses the network address of a request to apply rate limits and to check the allowlist of a token. Rate limit counters are stored by address until their window ends, after a minute or an hour. Downloads of mods are counted once per client by a keyed hash of the address; the key is deleted after two hours. Failed sign-ins are counted under a keyed hash of network address and email address. Addresses themselves are not stored with accounts, tokens, requests or feedback, and are not written to the log.',
        'The log has one line for each request: method, path pattern, status, duration, and the token id for a request with a token.',
      ],
    },
    {
      title: 'Cookies',
      paragraphs: [
        'When you sign in, the portal sets three cookies: __Secure-portal_refresh for 30 days and __Secure-portal_session for 15 minutes keep you signed in, and __Secure-portal_device, for a year after the last sign-in, identifies the browser as one that has signed in to the account, so that failed sign-ins of others do not lock you out. A password reset and a confirmed device set it too. Scripts cannot read them and they are not sent to other sites. While you are signed in, the local storage of the browser has the name of your account, so that every page links it. It also has the theme, your player, the items that you follow and the last inputs of the tools, if you choose or use them. The names of your player and of the items are sent to show their places and prices, and are not stored. The inputs are not sent to the service. If you choose a language for names of the game in the footer, a script keeps its code in the cookie language for a year. The API and the documentation set no cookies. The service uses neither analytics nor advertising.',
      ],
    },
    {
      title: 'Third parties',
      paragraphs: [
        'The service runs on Cloudflare, which transmits and stores the data described here. A mail provider sends emails and receives your address and the text.',
        'New passwords are compared with passwords from known data breaches. Only the first five digits of the SHA-1 hash are sent.',
        'The host name of a signed webhook is resolved over DNS over HTTPS before it is registered and before each request. Events contain no account data.',
        'A partner that scans public source code reports strings that look like our tokens. The response states which of them are valid.',
        ...(hasCaptcha
          ? [
              'The sign-up, sign-in and password reset pages load a captcha from challenges.cloudflare.com, which receives your network address.',
            ]
          : []),
      ],
    },
    {
      title: 'Your choices',
      paragraphs: [
        'On the account page you can download the data of your account, tokens, sessions and requests, change your name and address, and set up a second factor. Deleting the account immediately deletes its tokens, sessions, usage and webhooks. Encrypted backups keep the deleted data for up to 30 days.',
        'Most of the API works without an account.',
      ],
    },
  ];
}

export const TERMS: readonly Chapter[] = [
  {
    title: 'The service',
    paragraphs: [
      'The service provides data of an online game over HTTP: computed, captured from the game, or read from other public sources. Public endpoints need no account. Other endpoints need an API token, which an account with a verified email address can create free of charge.',
      'The game, its names and its images belong to its publisher. Articles, videos and mods belong to their authors. These terms give you no rights to them.',
    ],
  },
  {
    title: 'Fair use',
    paragraphs: [
      'Respect the rate limits that responses state, and wait for the time in Retry-After. Do not circumvent them with several accounts, tokens or addresses.',
      'Do not try to access data of other accounts, disrupt the service or waste its resources. Report vulnerabilities to the contact below before you publish them.',
      'You may use the data in your own programs, pages and bots, including commercial ones. Name the source, and do not present the data as official.',
    ],
  },
  {
    title: 'Your account and your tokens',
    paragraphs: [
      'You are responsible for the use of your account and your tokens. Keep tokens secret: do not include them in distributed programs, web pages or public source code. Tokens found in public and tokens unused for 182 days are revoked.',
      'You must have the right to submit the content that you send (feedback, images, giveaway entries, webhook templates), and it must be lawful.',
    ],
  },
  {
    title: 'Giveaways',
    paragraphs: [
      'One entry per person, also with several accounts. The inputs of each draw are published for verification. The name of the winner is published.',
    ],
  },
  {
    title: 'No warranty',
    paragraphs: [
      'The service is provided as is, without warranty of availability or accuracy. Do not rely on it for anything critical. To the extent permitted by law, the operators are not liable for damage that results from its use.',
      'Within /v1, breaking changes are announced twelve months ahead, as described in the documentation.',
    ],
  },
  {
    title: 'Termination and changes',
    paragraphs: [
      'You can delete your account at any time. Tokens and accounts that break these terms can be revoked or closed.',
      'Changes to these terms are published on this page. By using the service after a change you accept the new terms.',
    ],
  },
];
