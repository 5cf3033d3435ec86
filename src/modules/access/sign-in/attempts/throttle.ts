import { createHash } from 'node:crypto';

const minuteMs = 60_000;

/** A limit per window of time. Windows are aligned to the clock. */
export interface Rule {
  readonly name: string;
  readonly most: number;
  readonly windowMs: number;
}

/** The counter of a rule for one subject. It is one row. */
export interface AttemptCounter {
  readonly key: string;
  readonly windowStart: Date;
  readonly most: number;
  /** The time until the next window. */
  readonly secondsLeft: number;
}

/** Hashed, so that no one can read an address or a name from the key. */
const keyOf = ({ name }: Rule, subject: string): string =>
  createHash('sha256').update(`${name} ${subject}`).digest('hex');

export function counterOf(rule: Rule, subject: string, now: Date): AttemptCounter {
  const windowStart = Math.floor(now.getTime() / rule.windowMs) * rule.windowMs;
  return {
    key: keyOf(rule, subject),
    windowStart: new Date(windowStart),
    most: rule.most,
    secondsLeft: Math.ceil((windowStart + rule.windowMs - now.getTime()) / 1000),
  };
}

/** The longest window. Older rows do not count. */
export const maxWindowMs = 60 * minuteMs;

export const rules = {
  addressPerMinute: { name: 'address per minute', most: 20, windowMs: minuteMs },
  addressPerHour: { name: 'address per hour', most: 100, windowMs: maxWindowMs },
  accountFromAddress: { name: 'account from address', most: 5, windowMs: 5 * minuteMs },
  accountOnDevice: { name: 'account on device', most: 5, windowMs: 5 * minuteMs },
  account: { name: 'account', most: 30, windowMs: 15 * minuteMs },
  resetPerAddress: { name: 'reset per address', most: 20, windowMs: 15 * minuteMs },
  resetPerMailbox: { name: 'reset per mailbox', most: 5, windowMs: 15 * minuteMs },
  linkPerAddress: { name: 'link per address', most: 20, windowMs: minuteMs },
  signUpPerMinute: { name: 'sign-up per minute', most: 20, windowMs: minuteMs },
  signUpPerHour: { name: 'sign-up per hour', most: 100, windowMs: maxWindowMs },
} as const satisfies Record<string, Rule>;

export interface Guess {
  /** The name of the guessed account. */
  readonly account: string;
  readonly caller: string;
  /** Whether the person has signed in from this address before. */
  readonly familiar: boolean;
  /** The browser, if the person has signed in with it before. */
  readonly device: string | undefined;
}

/**
 * The counters for a wrong password. Where a person has signed in before, neither guesses from elsewhere nor the hourly
 * guesses of others behind the same address lock them out. Someone who guesses a colleague's password only locks out
 * log-ins from unknown addresses. Others behind the same address can still exceed its limit per minute. A browser with
 * which the person has signed in therefore has its own counter.
 */
export function countersOfGuess({ account, caller, familiar, device }: Guess, now: Date) {
  if (device !== undefined) {
    return { own: counterOf(rules.accountOnDevice, `${account} ${device}`, now), shared: [] };
  }
  const own = counterOf(rules.accountFromAddress, `${account} ${caller}`, now);
  const shared = [
    counterOf(rules.addressPerMinute, caller, now),
    ...(familiar
      ? []
      : [counterOf(rules.addressPerHour, caller, now), counterOf(rules.account, account, now)]),
  ];
  return { own, shared };
}
