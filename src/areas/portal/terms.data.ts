import type { Chapter } from './privacy.data.ts';

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
