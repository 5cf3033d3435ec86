import { describe, expect, test } from 'vitest';
import { callerOf } from '../../../../platform/caller-address.ts';
import { counterOf, countersOfGuess, maxWindowMs, rules } from './throttle.ts';

describe('the caller that guesses are counted for', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::192.0.2.7', '0:0:0:0::/64'],
    ['0300.0.2.7', '0300.0.2.7'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['192.0.2.7:51234', '192.0.2.7'],
    ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['', ''],
  ])('%s counts as %s', (ip, caller) => {
    expect(callerOf(ip)).toBe(caller);
  });

  test('is the same within one IPv6 /64 network and differs between networks', () => {
    expect(callerOf('2001:db8:1:2::1')).toBe(callerOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect(callerOf('2001:db8:1:2::1')).not.toBe(callerOf('2001:db8:1:3::1'));
  });
});

describe('a counter of guesses', () => {
  const rule = { name: 'test', most: 3, windowMs: 60_000 };
  const at = (time: string) => counterOf(rule, 'somebody', new Date(`2026-01-01T${time}Z`));

  test('restarts with each window and has the seconds until then', () => {
    expect(at('10:00:00.000')).toEqual(at('10:00:00.000'));
    expect(at('10:00:59.999').windowStart).toEqual(at('10:00:00.000').windowStart);
    expect(at('10:01:00.000').windowStart).not.toEqual(at('10:00:59.999').windowStart);
    expect(at('10:00:00.000').secondsLeft).toBe(60);
    expect(at('10:00:59.999').secondsLeft).toBe(1);
  });

  test('has a hashed key that differs by rule and subject', () => {
    const { key } = at('10:00:00');
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const now = new Date(0);
    const keys = [
      counterOf(rule, 'a', now),
      counterOf(rule, 'b', now),
      counterOf({ ...rule, name: 'other' }, 'a', now),
    ].map((count) => count.key);
    expect(new Set(keys).size).toBe(3);
  });

  test('has a window no longer than attempts are stored', () => {
    for (const { windowMs } of Object.values(rules)) {
      expect(windowMs).toBeLessThanOrEqual(maxWindowMs);
    }
  });
});

describe('the limits that a guess counts toward', () => {
  const guess = { account: 'user 1', caller: '192.0.2.7' };
  const mosts = (familiar: boolean) => {
    const device = undefined;
    const { own, shared } = countersOfGuess({ ...guess, familiar, device }, new Date(0));
    return [own, ...shared].map(({ most }) => most).sort((a, b) => a - b);
  };

  test('are those of the account, of the address, and of both together at an unfamiliar address', () => {
    expect(mosts(false)).toEqual([5, 20, 30, 100]);
  });

  test('exclude those that others can exhaust at a familiar address', () => {
    expect(mosts(true)).toEqual([5, 20]);
  });

  test('are only that of the browser if the user has signed in with it before', () => {
    const countersFor = (account: string, device: string | undefined, familiar = true) =>
      countersOfGuess({ ...guess, account, familiar, device }, new Date(0));
    const { own, shared } = countersFor('user 1', 'one');
    expect([own.most, own.secondsLeft, shared]).toEqual([5, 300, []]);
    expect(countersFor('user 1', 'one', false)).toEqual({ own, shared });
    const others = [
      countersFor('user 1', 'other'),
      countersFor('user 2', 'one'),
      countersFor('user 1', undefined),
    ];
    expect(new Set([own, ...others.map((other) => other.own)].map(({ key }) => key)).size).toBe(4);
  });
});
