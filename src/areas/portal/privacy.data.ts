/** One kind of thing that is stored: what, for how long, and in which tables (`*` ends a prefix). */
export interface StoredKind {
  title: string;
  what: string;
  until: string;
  tables: readonly string[];
}

/** Everything the service stores that says something of a person. A test compares the tables with those there are. */
export const STORED: readonly StoredKind[] = [
  {
    title: 'Account',
    what: 'Your e-mail address, the name to show if you gave one, your password as a hash from which it cannot be read, whether the address is verified and takes mail, when the account was made and last signed in to, and coarse labels of the browsers it was signed in with ("Firefox on Linux"), to tell you of a new one.',
    until: 'Until you delete the account.',
    tables: ['users'],
  },
  {
    title: 'Sign-ins',
    what: 'For each sign-in the label of the browser, when it began and was last used, and hashes of what your browser proves it with. Failed sign-ins are counted under a hash of the address that was tried.',
    until:
      'Sign-ins until you sign out, or 30 days after their last use; failed ones for half an hour, and are removed with the next daily sweep.',
    tables: ['sessions', 'login_failures'],
  },
  {
    title: 'API tokens',
    what: 'The name you gave a token, its first characters, a hash of it, its scopes, when it was made, used, rotated and revoked and why, and how many requests it made. Allowed addresses are stored as keyed hashes, from which they cannot be read.',
    until: 'Until you delete the account; revoked ones stay in your list.',
    tables: ['api_tokens'],
  },
  {
    title: 'Use of tokens',
    what: 'For each request made with a token the method, the path without its query, the status, how long it took and when it was. Sums by hour and by day are made of these. The answer to a write that named an Idempotency-Key is kept for a day, to be repeated. Of requests without a token nothing is stored.',
    until: 'Single requests for 30 days, sums for 400 days, and no longer than the account.',
    tables: ['usage_events', 'usage_hours', 'usage_days'],
  },
  {
    title: 'Mail to you',
    what: 'Address and subject of mails that were sent to you, and whether they arrived; the text only until it is sent.',
    until: 'For 30 days, also when the account is deleted meanwhile.',
    tables: ['mail_outbox'],
  },
  {
    title: 'Webhooks',
    what: 'The addresses you register for messages about events, with their labels and templates, and how the last delivery went.',
    until: 'Until you remove them or delete the account.',
    tables: ['webhook*'],
  },
  {
    title: 'Giveaways',
    what: 'Which giveaways you entered and when. The winner is published with the name to show, or with the first letter of the e-mail address.',
    until:
      'Until you withdraw or delete the account. What a finished draw was made from stays, as anybody may check it: random ids, without your account. The published name of a winner stays too.',
    tables: ['giveaways', 'giveaway_entries'],
  },
  {
    title: 'Feedback',
    what: 'The message, the contact if you gave one, category, version of the program, the names of browser and system, and name, type and size of attached pictures. It is forwarded to a chat channel of the operator where one is set up; the pictures are kept only until then.',
    until: 'Pictures for a day at most, the rest without a limit. It is not tied to an account: write to the operator to have it removed.',
    tables: ['feedback_entries', 'feedback_outbox'],
  },
  {
    title: 'Work of administrators',
    what: 'Which administrator sent an insert or changed a setting, and when.',
    until: 'Inserts for 90 days, changes of settings without a limit.',
    tables: ['ingest_log', 'setting_changes', 'setting_overrides'],
  },
  {
    title: 'Names from the game and its community',
    what: 'Names of characters and their scores, as the leaderboards of the game show them to every player; hashes of these names, to estimate how many play; authors of mods and their links, as they published them; names of supporters who agreed to be thanked.',
    until: 'As a record of the game, without a limit; the hashes for 11 days.',
    tables: [
      ...['board_captures', 'boards', 'capture_boards', 'activity_captures', 'activity_sets'],
      ...['mods', 'mods_*', 'mod_*', 'supporters', 'community_events', 'news_articles', 'feed_snapshots', 'clientapp_*'],
    ],
  },
];

export interface Chapter {
  title: string;
  paragraphs: readonly string[];
}

/** What else there is to say about privacy. `captcha`: only where one is shown. */
export function privacyChapters(hasCaptcha: boolean): Chapter[] {
  return [
    {
      title: 'Network addresses',
      paragraphs: [
        'The address a request comes from is used to count requests against the limits and to check the allowed addresses of a token. Counters are kept under the address until their window is over: a minute for most, an hour for some. Downloads of mods are counted once for each caller under a keyed hash, whose key is thrown away after two hours. No address is stored with an account, a token, a request or feedback, and none is written to the log.',
        'The log has one line for each request: method, kind of path, status, duration, and the id of the token if there was one.',
      ],
    },
    {
      title: 'Cookies',
      paragraphs: [
        'The portal sets two cookies when you sign in, which keep you signed in and nothing else: __Secure-portal_refresh for 30 days, __Secure-portal_session for a quarter of an hour. No script can read them, and no other site gets them. The API and the documentation set none. There is no analytics and no advertising.',
      ],
    },
    {
      title: 'Others who take part',
      paragraphs: [
        'The service runs on the network of Cloudflare, which carries and stores what is described here. Mail goes through a mail provider, which gets your address and the text.',
        'A new password is compared with lists of passwords known from breaches: the first five digits of its SHA-1 hash are sent, from which nobody can tell the password.',
        'A partner that scans public source code reports texts that look like our tokens; it learns which of them are ours.',
        ...(hasCaptcha
          ? [
              'The pages to sign up, sign in and ask for a new password load a captcha from challenges.cloudflare.com, which gets your network address.',
            ]
          : []),
      ],
    },
    {
      title: 'Your choices',
      paragraphs: [
        'On the account page you can download what is kept about your account, tokens, sign-ins and requests, and correct your name and address. Deleting the account deletes it with its tokens, sign-ins, usage and webhooks at once.',
        'Most of the API needs no account at all.',
      ],
    },
  ];
}
