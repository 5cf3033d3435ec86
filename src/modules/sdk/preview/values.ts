import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import { compare, type SemVer } from 'semver';
import {
  type ConstraintDefinition,
  instantOf,
  numberOf as readNumber,
  versionOf,
} from '../evaluation/index.ts';
import { matchOf } from './matching-text.ts';

/**
 * Values on both sides of every boundary that constraints on one field draw. Two values between the same boundaries
 * are decided in the same way, so these are enough.
 */

const operandsOf = (constraints: readonly ConstraintDefinition[], prefix: string): string[] =>
  constraints.flatMap(({ operator, value }) =>
    operator.startsWith(prefix) && value ? [value] : [],
  );

/** Each number, one below all, one above all, and one between two neighbors. */
function around(numbers: readonly number[], step: number): number[] {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const between = sorted.slice(1).map((next, at) => ((sorted[at] as number) + next) / 2);
  return [...sorted, first - step, ...between, last + step];
}

const numbersFor = (constraints: readonly ConstraintDefinition[]): string[] =>
  around(
    operandsOf(constraints, 'NUM_').flatMap((value) => readNumber(value) ?? []),
    1,
  ).map(String);

const dayMs = 86_400_000;
/** The range of dates in JavaScript. */
const lastInstant = 8.64e15;

const datesFor = (constraints: readonly ConstraintDefinition[]): string[] =>
  around(
    operandsOf(constraints, 'DATE_').flatMap((value) => instantOf(value) ?? []),
    dayMs,
  )
    .filter((instant) => Math.abs(instant) <= lastInstant)
    .map((instant) => new Date(Math.trunc(instant)).toISOString());

/** The versions after a version: one that someone may use, and the very next one. */
function versionsAfter({ version, major, minor, patch, prerelease }: SemVer): string[] {
  if (prerelease.length > 0) return [`${major}.${minor}.${patch}`, `${version}.0`];
  return [`${major}.${minor}.${patch + 1}`, `${major}.${minor}.${patch + 1}-0`];
}

function versionsFor(constraints: readonly ConstraintDefinition[]): string[] {
  const versions = operandsOf(constraints, 'SEMVER_')
    .flatMap((value) => versionOf(value) ?? [])
    .sort(compare);
  if (versions.length === 0) return [];
  const own = versions.flatMap((version) => [version.version, ...versionsAfter(version)]);
  return [...own, '0.0.0', '0.0.0-0'];
}

const bitsOf = { 4: 32, 6: 128 } as const;

function addressNumber(address: string, version: 4 | 6): bigint {
  if (version === 4) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  // Node writes the address without an embedded IPv4 address, and each group in full is easier to read.
  const { address: text } = new SocketAddress({ address, family: 'ipv6' });
  const [head = '', tail] = text.split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []).flatMap(groupsOf);
  const [left, right] = [groups(head), groups(tail)];
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].reduce(
    (sum, part) => sum * 65_536n + BigInt(`0x${part}`),
    0n,
  );
}

/** The groups of a part of an IPv6 address, which may be an IPv4 address. */
function groupsOf(part: string): string[] {
  if (!isIPv4(part)) return [part];
  const number = addressNumber(part, 4);
  return [(number >> 16n).toString(16), (number & 0xffffn).toString(16)];
}

function addressOf(number: bigint, version: 4 | 6): string {
  const [parts, bits] = version === 4 ? [4, 8n] : [8, 16n];
  const written: string[] = [];
  for (let at = parts - 1; at >= 0; at -= 1) {
    const part = (number >> (BigInt(at) * bits)) & ((1n << bits) - 1n);
    written.push(part.toString(version === 4 ? 10 : 16));
  }
  return written.join(version === 4 ? '.' : ':');
}

/** The first and the last address of a range, and their neighbors outside. */
function addressesFor(entry: string): string[] {
  const [address = '', prefix = ''] = entry.trim().split('/');
  const version = isIPv4(address) ? 4 : isIPv6(address) ? 6 : undefined;
  if (version === undefined || !/^\d*$/.test(prefix)) return [];
  const all = bitsOf[version];
  const bits = prefix === '' ? all : Math.min(Number(prefix), all);
  const size = 1n << BigInt(all - bits);
  const first = (addressNumber(address, version) / size) * size;
  const last = first + size - 1n;
  return [first, last, first - 1n, last + 1n]
    .filter((number) => number >= 0n && number < 1n << BigInt(all))
    .map((number) => addressOf(number, version));
}

/** Addresses of documentation, which no range of a real network contains. */
const otherAddresses = ['192.0.2.1', '203.0.113.1', '2001:db8::1'];

const partOperators = ['STR_STARTS_WITH', 'STR_CONTAINS', 'STR_ENDS_WITH'];
/** As many texts of one constraint are combined with those of others. */
const maxCombined = 4;

/** Texts that begin with one value, contain another, and end with a third. */
function combinedTexts(constraints: readonly ConstraintDefinition[]): string[] {
  const [starts = [], parts = [], ends = []] = partOperators.map((operator) =>
    constraints
      .filter((each) => each.operator === operator)
      .flatMap(({ values }) => (values ?? []).slice(0, maxCombined)),
  );
  const texts: string[] = [];
  for (const start of ['', ...starts]) {
    for (const part of ['', ...parts]) {
      for (const end of ['', ...ends]) texts.push(`${start}${part}${end}`);
    }
  }
  return texts.filter((text) => text !== '');
}

/** The same text in other cases, if it makes a difference. */
const inOtherCases = (text: string): string[] =>
  [text.toLowerCase(), text.toUpperCase()].filter((other) => other !== text);

/** The values that a constraint names. */
export function namedValues({ operator, values, value }: ConstraintDefinition): string[] {
  const listed = values ?? [];
  switch (operator) {
    case 'IN':
    case 'NOT_IN':
      return listed.map((each) => each.trim()).filter((each) => each !== '');
    case 'IN_CIDR':
      return listed.flatMap(addressesFor);
    case 'REGEX': {
      const text = matchOf(value ?? '');
      return text === undefined ? [] : [text, ...inOtherCases(text)];
    }
    default:
      return partOperators.includes(operator)
        ? listed.flatMap((each) => [each, ...inOtherCases(each)])
        : [];
  }
}

/** Values that depend on several constraints, or that no constraint names. */
export const boundaryValues = (constraints: readonly ConstraintDefinition[]): string[] => [
  ...numbersFor(constraints),
  ...datesFor(constraints),
  ...versionsFor(constraints),
  ...combinedTexts(constraints),
  ...(constraints.some(({ operator }) => operator === 'IN_CIDR') ? otherAddresses : []),
];
