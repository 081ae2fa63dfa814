import type { StreamLimits } from '../../platform/access/policy/policy.ts';

export const streamLimits: StreamLimits = (settings) => ({
  address: settings.eventsStreamsPerAddressMax,
  token: settings.eventsStreamsPerTokenMax,
});
