import { createHash } from 'node:crypto';

const minuteMs = 60_000;

/** So many of something in a window of time, counted from its beginning on the clock. */
export interface Rule {
  readonly name: string;
  readonly most: number;
  readonly windowMs: number;
}

/** A rule, applied to somebody: what one row counts. */
export interface AttemptCounter {
  readonly key: string;
  readonly windowStart: Date;
  readonly most: number;
  /** How long it takes until counting begins anew. */
  readonly secondsLeft: number;
}

/** Nobody reads an address or a name out of a key. */
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

/** No window is longer: what is older counts for nothing. */
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
  /** Who is guessed: the same for every name that leads to an account. */
  readonly account: string;
  readonly caller: string;
  /** Whether this person has signed in from there before. */
  readonly familiar: boolean;
  /** The browser, if this person has signed in with it before. */
  readonly device: string | undefined;
}

/**
 * What a wrong password counts for. From where somebody has signed in before, neither guesses from
 * elsewhere nor the hour's guesses of neighbours behind one address keep them out: whoever guesses
 * at a colleague's name locks out only those who come from where nobody knows them. Who shares the
 * address can still close it: a browser that the person has signed in with is counted by itself, and
 * for nobody else.
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
