/** What makes a test depend on the speed of the machine. */
const CLOCK =
  /\b(?:setTimeout|setInterval|sleep)\s*\(|\bscheduler\.wait\s*\(|\bfrom 'node:timers|\bvi\.wait(?:For|Until)\b|\bAbortSignal\.timeout\s*\(|\b(?:Date|performance)\.now\s*\(/;
/** A test that moves the clock it has replaced. */
const REPLACED_CLOCK = /\bvi\.(?:setSystemTime|useFakeTimers)\(/;
/** Programs that talk to a running server, and suites that measure time. `npm test` runs none of them. */
const NOT_TESTS = /^test\/(?:backup|clients|corpus|e2e|generators|journeys|kill|long|ocr|scale|skew|smoke|snippets|stories)\//;

/** Files of the tests that may wait for real time or read the real clock, with the reason. Keys are paths from the root. */
export const CLOCKS_WITH_REASON: Readonly<Record<string, string>> = {
  'test/contract/seeds.ts': 'the key cache compares its lease with the real clock; the test takes the lease',
  'test/worker/events/stream-slots.test.ts': 'the clock is replaced before the line',
  'test/distance/simulator.ts': 'waits until the runtime is idle, then moves its own clock',
  'test/faults/background-checks.ts': 'an alarm far enough ahead that it does not fire by itself',
  'test/faults/world.ts': 'finds alarms that are due, and values of the real clock, half a year from the clock of the tests',
  'test/support/eventually.ts': 'the one wait of all tests, with the one deadline',
  'test/support/quiet-reporter.ts': 'prints the time that a run takes, and ends a run whose runtime does not respond',
  'test/support/request-cost.ts': 'measures; test:long only',
  'test/support/upstreams/faults.ts': 'an upstream that sends its response slowly',
  'test/support/upstreams/game-sockets.ts': 'a game server that sends slowly or closes after a while; tests wait for the end',
  'test/support/upstreams/http-upstream.ts': 'the date that an upstream states',
  'test/unit/feeds/news/news.test.ts': 'linear time takes milliseconds, quadratic time minutes',
  'test/unit/platform/durable/object-calls.test.ts': 'the clock is replaced before the lines',
  'test/unit/platform/body.test.ts': 'a body that arrives slowly; the timers are replaced',
  'test/unit/platform/credentials.test.ts': 'linear time takes milliseconds, quadratic time minutes',
  'test/unit/platform/usage-buffer.test.ts': 'the clock is replaced before the lines',
  'test/unit/platform/user-agent.test.ts': 'linear time takes milliseconds, quadratic time minutes',
  'test/unit/scripts/check-imports.test.ts': 'source texts of the check',
  'test/unit/scripts/object-timers.test.ts': 'source texts of the check',
  'test/unit/scripts/test-clocks.test.ts': 'source texts of the check',
  'test/unit/updates/sync/build-source.test.ts': 'breaks a response off after its first bytes have arrived; any delay fits',
  'test/worker/activity/activity.test.ts': 'the clock is replaced from the line on',
  'test/worker/codexes/rebuild.test.ts': 'alarms are set on the real clock of the runtime',
  'test/worker/events/objects.ts': 'sets the clock of the coordinator relative to the real one, which its alarms use',
  'test/worker/events/live.test.ts': 'alarms use the real clock; a slow machine only makes the difference smaller',
  'test/worker/events/shard.test.ts': 'alarms use the real clock; a slow machine only makes the difference smaller',
  'test/worker/feeds/faults.test.ts': 'a time after all dates that the upstreams state',
  'test/worker/upstream/hostile-feeds.test.ts': 'a time after all dates that the upstreams state',
  'test/worker/feeds/live/live-feeds.test.ts':
    'upstreams state dates relative to the real clock; only the start of the tests depends on it',
  'test/worker/feeds/wiring.test.ts': 'upstreams state dates relative to the real clock; only the start of the tests depends on it',
  'test/worker/game-status/probes.test.ts': 'the hold time of a socket is real time; the bounds above it are wide',
  'test/worker/platform/durable/step-runner.test.ts': 'a day ahead, so that no alarm fires during the test',
  'test/worker/platform/environment.test.ts': 'the default clock of the service is the real one; a difference of a minute is accepted',
  'test/worker/platform/reservations.test.ts': 'the clock is replaced before the line',
  'test/worker/platform/token-gate-object.test.ts': 'the clock is replaced with the value of the line, or the value is a version',
  'test/worker/platform/usage.test.ts': 'an alarm is not earlier than the real clock; a slow machine makes it later',
  'test/worker/portal/previews.test.ts': 'stored images have the real time of their upload; days are added to it',
  'test/worker/schedule/jobs.ts': 'the clock is replaced before the line',
  'test/worker/service-status/kill.test.ts':
    'backoff of upstreams and the alarm of the stream use real time; only the start of the tests depends on it',
  'test/worker/service-status/page.test.ts': 'the alarm of the stream uses real time; only the start of the tests depends on it',
  'test/worker/service/late-lines.test.ts': 'prints lines until after the last test, as work of an object does',
  'test/worker/webhooks/signed/signed-api.test.ts': 'delivery times are based on the real clock; the bound leaves 100 s',
};

/**
 * Lines of tests that set a real timer, wait with a deadline of their own, or read the real clock, except in the files of `allowed`. A
 * test takes the time as an argument, fires the alarm, or waits with `test/support/eventually.ts`. Keys are paths from the root.
 */
export function checkTestClocks(
  sources: ReadonlyMap<string, string>,
  allowed: Readonly<Record<string, string>> = CLOCKS_WITH_REASON,
): string[] {
  const files = [...sources].filter(([path, text]) => !NOT_TESTS.test(path) && linesOf(text).length > 0);
  const found = files.flatMap(([path, text]) =>
    path in allowed
      ? []
      : linesOf(text).map(
          (line) => `${path}:${line}  a test must not depend on real time: use test/support/eventually.ts, or inject a clock`,
        ),
  );
  const paths = files.map(([path]) => path);
  const stale = Object.keys(allowed).filter((path) => !paths.includes(path));
  return [...found, ...stale.map((path) => `${path}  uses no clock: delete its entry in scripts/lib/checks/test-clocks.ts`)];
}

/** Numbers of the lines that use the real clock, without comments. */
function linesOf(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) => (!/^\s*(?:\/\/|\/?\*)/.test(line) && CLOCK.test(line) && !REPLACED_CLOCK.test(line) ? [index + 1] : []));
}
