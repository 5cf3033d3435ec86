import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { nameText } from '../../src/platform/contract/schema.ts';
import { endpoints } from '../support/private-project.ts';

interface Text {
  readonly path: string;
  readonly pattern?: string;
}

/** All free-text properties of a request that hold a name or title. */
function namesIn(schema: TSchema, path: string): Text[] {
  const node = schema as {
    type?: string | string[];
    properties?: Record<string, TSchema>;
    items?: TSchema;
    enum?: unknown[];
    pattern?: string;
    'x-not-supported'?: boolean;
  };
  if (node['x-not-supported'] || node.enum) return [];
  if (node.properties) {
    return Object.entries(node.properties).flatMap(([key, value]) =>
      namesIn(value, `${path}/${key}`),
    );
  }
  if (node.items) return namesIn(node.items, `${path}/-`);
  const isName = /\/(name|title|tokenName|alias|displayName)$/.test(path);
  const isText = [node.type].flat().includes('string');
  if (!isName || !isText) return [];
  return [{ path, ...(node.pattern !== undefined && { pattern: node.pattern }) }];
}

/** These refer to existing things: another text is not found, and so never stored. */
const references = [
  'createRole /permissions/-/name',
  'updateRole /permissions/-/name',
  'createProject /changeRequestEnvironments/-/name',
  'addFeatureStrategy /name',
  'updateFeatureStrategy /name',
  'createFeature /name',
  'createFeature /environments/-/name',
  'createFeature /environments/-/strategies/-/name',
  'cloneFeature /name',
  'validateFeature /name',
  'validateImport /data/featureMetadata/-/owner/name',
  'validateImport /data/featureStrategies/-/name',
  'validateImport /data/segments/-/name',
  'importToggles /data/featureMetadata/-/owner/name',
  'importToggles /data/featureStrategies/-/name',
  'importToggles /data/segments/-/name',
  'evaluateUnsavedFeature /strategies/-/name',
];

test('no request stores a name or title with control characters', () => {
  const open = endpoints.flatMap(({ id, body }) =>
    (body ? namesIn(body, '') : [])
      .filter(({ pattern }) => !pattern || new RegExp(pattern, 'u').test('a\u001b[2Jb'))
      .map(({ path }) => `${id} ${path}`),
  );
  expect(open.filter((each) => !references.includes(each))).toEqual([]);
});

describe('a name or title', () => {
  const accepts = (text: string, minLength = 1) => {
    const { pattern } = nameText({ minLength, maxLength: 100 }) as { pattern?: string };
    return new RegExp(String(pattern), 'u').test(text);
  };

  test.each(['a', 'Release 1.0', ' blanks around ', 'naïve 日本語', 'می‌خواهم', '👩‍🚀'])(
    'accepts %j',
    (text) => {
      expect(accepts(text)).toBe(true);
    },
  );

  test.each([
    '   ',
    'a\nb',
    'a\tb',
    '\u001b[31mred',
    'a\u0085',
    'a\u007f',
    'a\u202eb',
    'a\u2066b',
    'a\u2028b',
    'a\u200bb',
    'a\ufeff',
  ])('rejects %j', (text) => {
    expect(accepts(text)).toBe(false);
  });

  test('may be empty or blank only if it is optional', () => {
    expect([accepts('', 0), accepts('   ', 0), accepts('a\u001b', 0)]).toEqual([true, true, false]);
  });
});
