import { isIP, SocketAddress } from 'node:net';
import { parse, type SemVer } from 'semver';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Context } from './definition.ts';
import { type Hashable, hashable } from './murmur3.ts';

/** A context in the course of one evaluation, with what was found out about it so far. */
export interface Facts {
  context: Context;
  /** Which evaluation this is: what a reader found is of this context if it was found in the same. */
  turn: number;
  /** Whether the time or chance had a say in it: then it may be another the next time. */
  isFleeting: boolean;
  /** What may still be spent on matching texts; below zero once something was too much. */
  stepsLeft: number;
}

/**
 * Steps of one evaluation, each of about 0.1 µs: 50 ms. An expression of 40 instructions takes 1,200 of them for 30
 * characters. A number of steps and not a time: the same context is decided the same way on every machine.
 */
const maxSteps = 500_000;

/** Whether so many steps may be taken; once they may not, no more are taken in this evaluation. */
export function mayTake(steps: number, facts: Facts): boolean {
  if (facts.stepsLeft < 0) return false;
  facts.stepsLeft -= Math.ceil(steps);
  return facts.stepsLeft >= 0;
}

/** Finds something out about a context; undefined when it is not there, or not of that kind. */
export type Reader<T> = (facts: Facts) => T | undefined;

/**
 * Where readers come from. One asks for a thousand features with the same context: what it says is
 * found out once, and kept by the reader until the next context comes.
 */
export interface Reading {
  /** The facts of the context before are gone with this: one evaluation at a time. */
  readonly begin: (context: Context) => Facts;
  readonly remembered: <T>(find: (facts: Facts) => T) => (facts: Facts) => T;
  readonly text: (field: string) => Reader<string>;
  readonly lowerCase: (field: string) => Reader<string>;
  readonly number: (field: string) => Reader<number>;
  /** In milliseconds since 1970. */
  readonly instant: (field: string) => Reader<number>;
  readonly version: (field: string) => Reader<SemVer>;
  readonly address: (field: string) => Reader<SocketAddress>;
  /** The bytes in UTF-8 of the first of these fields that is not empty. */
  readonly firstBytes: (fields: readonly string[]) => Reader<Hashable>;
}

/** No blanks, no hexadecimal: what every SDK reads as the same number. */
const numberText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

export function numberOf(text: string): number | undefined {
  return numberText.test(text) ? Number(text) : undefined;
}

/** A time of day without an offset would be read in the zone of whatever machine this is. */
const withoutOffset = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

export function instantOf(text: string): number | undefined {
  const instant = Date.parse(withoutOffset.test(text) ? `${text}Z` : text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** A leading v is no part of Semantic Versioning 2.0.0, and neither are blanks. */
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
  // 1e999 is no number any more once JSON was read, and cannot be written as one.
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
  // What a property inherits, such as 'constructor', is never text.
  return own ?? textOf(context.properties?.[field]);
}

function onePerKey<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}

export function createReading(now: Clock = systemClock): Reading {
  const facts: Facts = { context: {}, turn: 0, isFleeting: false, stepsLeft: maxSteps };

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

  // Who does not say what time it is asks now.
  const time = remembered((current) => {
    current.isFleeting = true;
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
    begin(context) {
      facts.context = context;
      facts.turn += 1;
      facts.isFleeting = false;
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
