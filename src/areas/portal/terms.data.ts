import type { Chapter } from './privacy.data.ts';

/** What those who use the service agree to. */
export const TERMS: readonly Chapter[] = [
  {
    title: 'What you get',
    paragraphs: [
      'Data of an online game over HTTP, some of it computed, some captured from the game, some taken from other public sources. Public endpoints need no account; the others need an API token, which an account with a verified e-mail address can make free of charge.',
      'The game, its names and its pictures belong to its publisher, and articles, videos and mods to their authors. These terms give you no rights to them.',
    ],
  },
  {
    title: 'Fair use',
    paragraphs: [
      'Keep to the limits that the answers state, and wait as long as Retry-After says. Do not get around them with several accounts, tokens or addresses.',
      'Do not try to get at data of other accounts, to disturb the service, or to make it do work for nothing. A weakness that you find is welcome at the contact below, before anybody else hears of it.',
      'You may use the data in programs, pages and bots of your own, also in ones that earn money. Say where it comes from, and do not pass it off as official.',
    ],
  },
  {
    title: 'Your account and your tokens',
    paragraphs: [
      'You answer for what is done with your account and your tokens. Keep them secret: out of programs that you hand out, out of web pages and out of public source code. Tokens that are found in public are revoked at once, tokens that nobody used for 182 days too.',
      'What you send in (feedback, pictures, giveaway entries, webhook templates) must be yours to send and within the law.',
    ],
  },
  {
    title: 'Giveaways',
    paragraphs: [
      'One entry for each person; more accounts do not make more chances. How each winner was drawn is published, so that anybody can check it. The name of the winner is shown.',
    ],
  },
  {
    title: 'What is not promised',
    paragraphs: [
      'The service is given as it is, without a promise that it is always there or always right. Do not let anything depend on it that must not fail. As far as the law allows, nobody is liable for damage that comes from using it.',
      'Within /v1 changes that break programs are announced twelve months ahead, as the documentation says.',
    ],
  },
  {
    title: 'The end, and changes',
    paragraphs: [
      'You can delete your account at any time. Tokens and accounts that break these terms can be revoked or closed.',
      'When these terms change, this page does. Who goes on using the service after that agrees to them.',
    ],
  },
];
