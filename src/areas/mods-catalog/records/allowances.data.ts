import { namedValues } from '../../../platform/kit/values/named-values.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';

export const ALLOWANCE_NAMES = namedValues('PublishingAllowanceName', 'What an account may use.', [
  'bytes',
  'uploads',
  'projects',
  'drafts',
  'scheduled',
  'keys',
  'invitations',
  'announcements',
]);
export type AllowanceName = (typeof ALLOWANCE_NAMES)[number];

export const ALLOWANCE_PERIODS = namedValues('PublishingAllowancePeriod', 'Whether an allowance is for a UTC day or in total.', [
  'day',
  'total',
]);

interface Allowance {
  period: (typeof ALLOWANCE_PERIODS)[number];
  /** What is counted, for messages. */
  unit: string;
  /** How to get more room. */
  hint: string;
  maxOf(settings: Settings): number;
}

const BYTES_PER_MEGABYTE = 1_000_000;
const TOMORROW = 'wait for the next UTC day';

/** What an account may use for its projects. A superuser can change each for one account. */
export const ALLOWANCES: Readonly<Record<AllowanceName, Allowance>> = {
  bytes: {
    period: 'total',
    unit: 'bytes of texts, files, images and drafts',
    hint: 'delete drafts or images, or withdraw releases',
    maxOf: (settings) => settings.publishingMegabytes * BYTES_PER_MEGABYTE,
  },
  uploads: { period: 'day', unit: 'uploads in a UTC day', hint: TOMORROW, maxOf: (settings) => settings.publishingUploadsPerDay },
  projects: { period: 'day', unit: 'new projects in a UTC day', hint: TOMORROW, maxOf: (settings) => settings.publishingProjectsPerDay },
  drafts: {
    period: 'total',
    unit: 'open drafts',
    hint: 'publish or delete a draft',
    maxOf: (settings) => settings.publishingDrafts,
  },
  scheduled: {
    period: 'total',
    unit: 'scheduled releases',
    hint: 'wait for a release, or withdraw one',
    maxOf: (settings) => settings.publishingScheduled,
  },
  keys: { period: 'total', unit: 'live project keys', hint: 'end a key that is not used', maxOf: (settings) => settings.publishingKeys },
  invitations: {
    period: 'total',
    unit: 'open invitations',
    hint: 'withdraw an invitation',
    maxOf: (settings) => settings.publishingInvitations,
  },
  announcements: {
    period: 'day',
    unit: 'announced releases in a UTC day',
    hint: TOMORROW,
    maxOf: (settings) => settings.publishingAnnouncementsPerDay,
  },
};
