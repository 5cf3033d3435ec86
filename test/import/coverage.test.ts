import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEventsAfter } from '../../src/modules/migration/history/read.ts';
import type { ReadingClient } from '../../src/modules/migration/index.ts';
import { readEverything } from '../../src/modules/migration/unleash/read.ts';
import { skippedPaths, skippedProperties } from './coverage.ts';
import type { Recording } from './record.ts';

const read = <Content>(name: string): Content =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', `${name}.json`), 'utf8'));

/** The path in the OpenAPI document that matches a URL. Paths without parameters come first. */
function templateOf(address: string, templates: readonly string[]): string | undefined {
  const path = address.replace(/\?.*/, '');
  const fits = (template: string) =>
    new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
  return templates.find((each) => each === path) ?? templates.find(fits);
}

/** Values without which the import does not read further. */
const assumed: Readonly<Record<string, unknown>> = { 'featureNaming.pattern': '.*' };

/**
 * Collects every property that is read, with its parents. A property that is missing in the recording but has nested
 * properties becomes an empty object, so that the import reads those too.
 */
function watched(
  value: unknown,
  at: string,
  described: ReadonlySet<string>,
  seen: Set<string>,
): unknown {
  if (Array.isArray(value)) return value.map((each) => watched(each, at, described, seen));
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const recorded = Reflect.get(target, key);
      const found = recorded ?? assumed[`${at}${String(key)}`] ?? recorded;
      if (typeof key === 'symbol') return found;
      const isList = described.has(`${at}${key}[]`);
      const path = `${at}${key}${isList ? '[]' : ''}`;
      seen.add(path);
      const inner = `${path}.`;
      const hasMore = [...described].some((each) => each.startsWith(inner));
      const isMissing = found === undefined || found === null || (isList && found.length === 0);
      if (!isMissing || !hasMore) return watched(found, inner, described, seen);
      return watched(isList ? [{}] : {}, inner, described, seen);
    },
  });
}

/** The properties that an import reads from the recorded responses, by path. */
async function readOf(version: string, described: ReadonlyMap<string, readonly string[]>) {
  const { responses } = read<Recording>(version);
  const seen = new Map<string, Set<string>>();
  const find: ReadingClient['find'] = async (address) => {
    const response = responses[address];
    const template = templateOf(address, [...described.keys()]);
    if (response === null || response === undefined || template === undefined) return response;
    const own = seen.get(template) ?? new Set();
    seen.set(template, own);
    return watched(response, '', new Set(described.get(template)), own);
  };
  const client: ReadingClient = {
    ...{ url: 'http://source', find, get: find, search: find },
    forNewReading: () => client,
  };
  await readEverything(client, () => undefined, new Date());
  await readEventsAfter(client, 0);
  return seen;
}

/** The reason why a property is not read. Reasons for all paths apply anywhere in a response. */
function reasonFor(path: string, property: string): string | undefined {
  const plain = property.replaceAll('[]', '');
  const of = (where: string) => Object.keys(skippedProperties[where] ?? {});
  const inPath = of(path).find(
    (each) => each === '*' || plain === each || plain.startsWith(`${each}.`),
  );
  if (inPath !== undefined) return `${path}: ${inPath}`;
  const anywhere = of('*').find((each) => `.${plain}.`.includes(`.${each}.`));
  return anywhere && `*: ${anywhere}`;
}

const used = { paths: new Set<string>(), properties: new Set<string>() };

describe.each(['6.6', '8.2'])('every property in the API of Unleash %s', (version) => {
  test('is imported, or skipped for a reason', async () => {
    const texts = read<Record<string, string>>(`openapi-${version}`);
    const described = new Map(
      Object.entries(texts).map(([path, names]) => [path, names.split(' ').filter(Boolean)]),
    );
    const seen = await readOf(version, described);
    const missed: string[] = [];
    for (const [path, properties] of described) {
      const own = seen.get(path);
      if (!own) {
        if (path in skippedPaths) used.paths.add(path);
        else missed.push(path);
        continue;
      }
      for (const property of properties) {
        if (own.has(property)) continue;
        const reason = reasonFor(path, property);
        if (reason === undefined) missed.push(`${path}: ${property}`);
        else used.properties.add(reason);
      }
    }
    expect(missed).toEqual([]);
  });
});

test('every reason to skip something is used', () => {
  expect(Object.keys(skippedPaths).filter((path) => !used.paths.has(path))).toEqual([]);
  const reasons = Object.entries(skippedProperties).flatMap(([path, properties]) =>
    Object.keys(properties).map((property) => `${path}: ${property}`),
  );
  expect(reasons.filter((each) => !used.properties.has(each))).toEqual([]);
});
