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
        'The host name of a signed webhook is looked up at a DNS resolver over HTTPS before it is registered and before each request. Its owner decides where the events go; they hold no data of the account.',
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
