/** Families of endpoints and jobs whose cost grows with what is stored, and why. The first that matches counts. */
export const DECLARED_GROWTH: readonly { names: RegExp; reason: string }[] = [
  { names: /^job .*(?:sweep|prune|expiry|publish|deliver|retention)$/, reason: 'deletes or delivers what is due: here everything' },
  { names: /^job market-archive$/, reason: 'moves the listings of old months: here most' },
  {
    names:
      /^(?:insert(?:Luxion|ChaosChest|Challenge|LeaderboardDump)|(?:create|change|close|cancel|open)Giveaway|announce|updateAnnouncement)$/,
    reason: 'an event has a delivery for each webhook',
  },
  { names: /^job tokens-unused$/, reason: 'reads the tokens once a day' },
  { names: /^job row-counts$/, reason: 'counts the tables once a day' },
  { names: /^job search-index$/, reason: 'copies the documents of a source whose version has changed' },
  { names: /^listPublishingAllowances$/, reason: 'what an account has stored: at most its allowances' },
  { names: /^(?:get|set)ModFile$/, reason: 'releases of one file, which all copies of the test share' },
  { names: /^requestPublishingAccess$/, reason: 'looks for the superusers among all accounts' },
  { names: /InterestItems/, reason: 'lists the tracked items, a list of the operator, which a cold isolate reads twice' },
  {
    names: /^(?:get|list)Market|^marketItem|^getCodexEntryPage$/,
    reason: 'a cold isolate reads the names of all items: at most the tracked ones',
  },
  { names: /^insertMarketDump$/, reason: 'computes the statistics of 60 days, of at most 300,000 listings' },
  { names: /^read(?:CharacterSheet|SheetOf(?:Account|Visitor))$/, reason: 'waits for the search index of the test before it' },
  {
    names: /^(?:search|suggestNames|getSearchFieldNames)$/,
    reason: 'each kind of match stops at its limit, which the small store does not reach',
  },
  { names: /^get(?:Clientapp|Latest)|^listClientapp|^checkClientapp|^checkForUpdate/i, reason: 'the releases of one repository' },
  { names: /^listUsers$/, reason: 'tokens of the listed accounts: at most 20 live ones each' },
  { names: /Webhook|^listSessions$|^listJobs$|^deleteProject$|SecondFactor$/, reason: 'rows of one account, which has a maximum' },
  { names: /^(?:getSnapshot|getFrontPage)$/, reason: 'the open giveaways' },
  {
    names: /^job mods-popularity$/,
    reason:
      'a score is relative to the most popular mod, so a download can change every score: 290,000 rows an hour with a hundred months of data, a hundredth of the included reads',
  },
  { names: /^listModpacksWithMod$/, reason: 'reads and sorts the packs that have the mod: here all have the same one' },
  {
    names: /Mod(?:Project|Banner|Preview|Release|Claim|pack)$|^(?:lookUpMods|approveMod|takeDownMod)$|^getModAuthorPage$/,
    reason: 'releases of one mod: at most 500',
  },
  { names: /^(?:getPlayer|listPlayer)/, reason: 'names of all boards, a list of the game; without totals, the objects of 400 game days' },
  {
    names: /^(?:signUp|resendVerification|changePassword|login|verifyEmail)$/,
    reason: 'delivers a batch of the due mails and changes that the requests before it queued',
  },
  {
    names: /^listModProjectsWithoutOwner$/,
    reason: 'a page of administrators: one look-up in the key of the members for each project, 6,000 rows at 3,000 projects',
  },
  { names: /^job activity-refresh$/, reason: 'recomputes at most 20 captures a run: here all are outdated' },
  { names: /^(?:listReports|sendReportOf(?:Account|Visitor))$/, reason: 'open reports: at most 1,000' },
  { names: /^listOpenModClaims$/, reason: 'open claims: at most five of each account' },
  { names: /^getOverview$/, reason: 'the inserts of a day' },
  { names: /^get(?:Class)?ActivitySeries\?/, reason: 'a row for each day, in a cold isolate' },
];
