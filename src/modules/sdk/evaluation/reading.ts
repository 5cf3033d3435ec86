import { isIP, SocketAddress } from 'node:net';
import { parse, type SemVer } from 'semver';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Facts, Scope } from './compiled.ts';
import type { Context } from './definition.ts';
import { type Hashable, hashable } from './murmur3.ts';

/**
 * The maximum steps of one evaluation, each of about 0.1 µs: 50 ms. An expression of 40 instructions takes 1,200 of
 * them for 30 characters. It limits steps and not time, so that the same context is decided the same way on every
 * machine.
 */
const maxSteps = 500_000;

/** Reads a value from a context. Returns undefined if it is missing or of another type. */
export type Reader<T> = (facts: Facts) => T | undefined;

/**
 * Creates readers. A client asks for a thousand features with the same context, so each reader parses a value once and
 * caches it until the next context.
 */
export interface Reading {
  /** Starts an evaluation and invalidates the facts of the previous one: only one may run at a time. */
  readonly begin: (context: Context, scope: Scope) => Facts;
  /** Caches a value until the next evaluation. */
  readonly remembered: <T>(find: (facts: Facts) => T) => (facts: Facts) => T;
  readonly text: (field: string) => Reader<string>;
  readonly lowerCase: (field: string) => Reader<string>;
  readonly number: (field: string) => Reader<number>;
  /** In milliseconds since 1970. */
  readonly instant: (field: string) => Reader<number>;
  readonly version: (field: string) => Reader<SemVer>;
  readonly address: (field: string) => Reader<SocketAddress>;
  /** The UTF-8 bytes of the first of these fields that is not empty. */
  readonly firstBytes: (fields: readonly string[]) => Reader<Hashable>;
}

/** No spaces, no hexadecimal: only what every SDK reads as the same number. */
const numberText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

export function numberOf(text: string): number | undefined {
  return numberText.test(text) ? Number(text) : undefined;
}

/** A date-time without an offset would be read in the time zone of the machine. */
const withoutOffset = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

export function instantOf(text: string): number | undefined {
  const instant = Date.parse(withoutOffset.test(text) ? `${text}Z` : text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Parses a version. Semantic Versioning 2.0.0 allows neither a leading v nor spaces. */
export function versionOf(text: string): SemVer | undefined {
  return /^\d\S*$/.test(text) ? (parse(text) ?? undefined) : undefined;
}

function addressOf(text: string): SocketAddress | undefined {
  const family = isIP(text);
  if (family === 0) return undefined;
  return new SocketAddress({ address: text, family: family === 4 ? 'ipv4' : 'ipv6' });
}

export const bytesOf = (text: string): Hashable => hashable(Buffer.from(text));

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  // JSON parses 1e999 as Infinity, which cannot be written as a number.
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  return undefined;
}

type OwnField = Exclude<keyof Context, 'properties'>;
const ownFields: ReadonlySet<string> = new Set<OwnField>([
  'userId',
  'sessionId',
  'environment',
  'appName',
  'remoteAddress',
  'currentTime',
]);

function givenText(context: Context, field: string): string | undefined {
  const own = ownFields.has(field) ? textOf(context[field as OwnField]) : undefined;
  // Inherited properties, such as 'constructor', are never text.
  return own ?? textOf(context.properties?.[field]);
}

function onePerKey<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const cached = made.get(key);
    if (cached !== undefined) return cached;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}

export function createReading(now: Clock = systemClock): Reading {
  const facts: Facts = {
    context: {},
    scope: { features: new Map(), segments: new Map() },
    turn: 0,
    isDeterministic: true,
    stepsLeft: maxSteps,
  };

  function remembered<T>(find: (facts: Facts) => T): (facts: Facts) => T {
    let turn = -1;
    let found: T;
    return (current) => {
      if (turn !== current.turn) {
        found = find(current);
        turn = current.turn;
      }
      return found;
    };
  }

  // Without `currentTime` in the context, the current time counts.
  const time = remembered((current) => {
    current.isDeterministic = false;
    return now();
  });
  const text = onePerKey((field) =>
    remembered((current) => {
      const given = givenText(current.context, field);
      return given === undefined && field === 'currentTime' ? time(current).toISOString() : given;
    }),
  );
  const parsed = <T>(parser: (text: string) => T | undefined) =>
    onePerKey((field) => {
      const read = text(field);
      return remembered((current) => {
        const given = read(current);
        return given === undefined ? undefined : parser(given);
      });
    });
  const first = onePerKey((fields) => {
    const texts = fields.split('\0').map(text);
    return remembered((current) => {
      for (const read of texts) {
        const given = read(current);
        if (given) return bytesOf(given);
      }
      return undefined;
    });
  });

  return {
    begin(context, scope) {
      facts.context = context;
      facts.scope = scope;
      facts.turn += 1;
      facts.isDeterministic = true;
      facts.stepsLeft = maxSteps;
      return facts;
    },
    remembered,
    text,
    lowerCase: parsed((given) => given.toLowerCase()),
    number: parsed(numberOf),
    instant: parsed(instantOf),
    version: parsed(versionOf),
    address: parsed(addressOf),
    firstBytes: (fields) => (fields.length === 0 ? () => undefined : first(fields.join('\0'))),
  };
}
