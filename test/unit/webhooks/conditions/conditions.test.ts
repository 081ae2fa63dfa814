import { describe, expect, it } from 'vitest';
import {
  type Condition,
  factRanges,
  isMet,
  type LastFacts,
  lastFactsOf,
} from '../../../../src/areas/webhooks/conditions/conditions.domain.ts';
import type { EventFact } from '../../../../src/platform/events/event-declaration.ts';
import { EVENTS, WEBHOOK_EVENTS } from '../../../support/declarations.ts';

const { conditions } = WEBHOOK_EVENTS;
const AT = 1_773_156_630;

const condition = (event: Condition['event'], match: string, values: string[], limit: number | null = null): Condition => ({
  event,
  match,
  values,
  limit,
});

const SUN_SAP = condition('market_price', 'item', ['Sun Sap'], 150);
const EU_DOWN = condition('server_down', 'server', ['eu'], 10);

/** Whether an event with these facts meets a condition. */
const meets = (given: Condition, ...facts: EventFact[]) =>
  isMet(conditions.toStored(given), factRanges(facts, conditions.declaredOf(given.event)));

describe('sentenceOf', () => {
  it.each<[Condition, string]>([
    [condition('challenge', 'type', ['rampage', 'racing', 'target']), 'Post when the challenge is Rampage, Racing or Target'],
    [condition('corruxion', 'change', ['arrives']), 'Post when Corruxion arrives'],
    [condition('fluxion', 'change', ['arrives', 'leaves']), 'Post when Fluxion arrives or leaves'],
    [condition('luxion', 'change', ['arrives']), 'Post when Luxion arrives'],
    [EU_DOWN, 'Post when Europe is down for longer than 10 minutes'],
    [condition('server_down', 'server', ['eu', 'us'], 1), 'Post when Europe or America is down for longer than 1 minute'],
    [SUN_SAP, 'Post when Sun Sap is at most 150 each'],
    [condition('mod_release', 'author', ['ana']), 'Post when a mod of ana is released'],
    [condition('mod_release', 'tag', ['mount', 'ally']), 'Post when a mod with the tag mount or ally is released'],
  ])('reads %j back in words', (given, sentence) => {
    expect(conditions.problemOf(given)).toBeNull();
    expect(conditions.sentenceOf(given)).toBe(sentence);
  });
});

describe('problemOf', () => {
  it.each<[Condition, (string | number)[], string]>([
    [condition('challenge', 'item', ['rampage']), ['match'], 'must be type for the event challenge'],
    [condition('challenge', 'type', ['rampage', 'sleep']), ['values', 1], 'must be collection, rampage, racing, target or dungeon'],
    [condition('challenge', 'type', ['rampage'], 5), ['limit'], 'must be null for this condition'],
    [condition('luxion', 'change', ['leaves']), ['values', 0], 'must be arrives'],
    [condition('server_down', 'server', ['eu']), ['limit'], 'must be a whole number between 1 and 1440'],
    [condition('server_down', 'server', ['eu'], 1.5), ['limit'], 'must be a whole number between 1 and 1440'],
    [condition('market_price', 'item', ['x'], 0), ['limit'], 'must be a number with at most 3 decimals between 0.001 and 1000000000'],
    [condition('market_price', 'item', ['x'], 0.0001), ['limit'], 'must be a number with at most 3 decimals between 0.001 and 1000000000'],
  ])('names the invalid field of %j', (given, path, msg) => {
    expect(conditions.problemOf(given)).toEqual({ path, msg });
  });
});

describe('mismatches', () => {
  it('names conditions of other events, and events that lack a condition', () => {
    expect(conditions.mismatches(['challenge', 'market_price'], [SUN_SAP])).toEqual([]);
    expect(conditions.mismatches(['challenge'], [SUN_SAP])).toEqual([{ path: [0, 'event'], msg: 'events must contain market_price' }]);
    expect(conditions.mismatches(['server_down'], [])).toEqual([{ path: [], msg: 'must have a condition for the event server_down' }]);
  });
});

describe('isMet', () => {
  it('compares values without case and outer spaces', () => {
    expect(meets(condition('mod_release', 'author', [' Ana ']), { name: 'author', value: 'ANA' })).toBe(true);
    expect(meets(condition('mod_release', 'author', ['ana']), { name: 'tag', value: 'ana' })).toBe(false);
  });

  it('meets a price up to the limit, to a thousandth', () => {
    const at = (number: number) => meets(SUN_SAP, { name: 'item', value: 'sun sap', number });
    expect([at(0.5), at(150), at(150.001)]).toEqual([true, true, false]);
  });

  it('meets the minutes of an outage once, when they pass the limit', () => {
    const at = (previous: number, number: number) => meets(EU_DOWN, { name: 'server', value: 'eu', number, previous });
    expect([at(8, 9), at(9, 10), at(4, 12), at(10, 11)]).toEqual([false, true, true, false]);
  });
});

describe('tried', () => {
  const tried = (given: Condition, last: LastFacts) => conditions.tried(conditions.toStored(given), last);

  it('says whether the last event meets the condition, and what it was', () => {
    const last = lastFactsOf([{ name: 'type', value: 'racing' }], AT);
    expect(tried(condition('challenge', 'type', ['racing']), last)).toEqual({
      wouldPost: true,
      reason: 'the last challenge was Racing',
      at: AT,
    });
    expect(tried(condition('challenge', 'type', ['rampage']), last)).toMatchObject({
      wouldPost: false,
      reason: 'the last challenge was Racing',
    });
  });

  it('compares a limit with the last number of the value', () => {
    const last = lastFactsOf(
      [
        { name: 'item', value: 'Sun Sap', number: 160 },
        { name: 'item', value: 'Flux', number: 3 },
      ],
      AT,
    );
    expect(tried(SUN_SAP, last)).toEqual({ wouldPost: false, reason: 'the cheapest new listing of Sun Sap was 160 each', at: AT });
    expect(tried(condition('market_price', 'item', ['sun sap', 'flux'], 150), last)).toMatchObject({
      wouldPost: true,
      reason: 'the cheapest new listing of Flux was 3 each',
    });
    const outage = lastFactsOf([{ name: 'server', value: 'eu', number: 42, previous: 41 }], AT);
    expect(tried(EU_DOWN, outage)).toMatchObject({ wouldPost: true, reason: 'the last outage of Europe took at least 42 minutes' });
  });

  it('says when nothing happened yet', () => {
    const nothing = { wouldPost: null, reason: 'no event to compare with yet', at: null };
    expect(tried(SUN_SAP, {})).toEqual(nothing);
    expect(tried(SUN_SAP, lastFactsOf([{ name: 'item', value: 'Flux', number: 3 }], AT))).toEqual(nothing);
  });
});

describe('declared conditions', () => {
  it.each(conditions.events)('of %s describe the facts of its sample', (type) => {
    const declaration = EVENTS.of(type);
    for (const { name } of WEBHOOK_EVENTS.factsOf({ type, body: declaration.sample(AT), at: AT } as never)) {
      expect(conditions.declaredOf(type).map((declared) => declared.name)).toContain(name);
    }
  });
});
