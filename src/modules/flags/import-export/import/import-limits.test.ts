import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { sent } from '../../../../../test/support/import-export.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});

const numbered = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

const named = (names: readonly string[], more: object = {}) => ({
  features: names.map((name) => ({ name })),
  featureStrategies: [],
  ...more,
});

const tagged = (featureName: string, values: readonly string[]) =>
  values.map((tagValue) => ({ featureName, tagType: 'simple', tagValue }));

/** The errors of a validation, with which an import is rejected as well. */
async function errorsOf(data: object): Promise<unknown> {
  const before = await countEvents(app.db);
  const { errors } = (await sent(app, 'validate', data)).json();
  const refused = await sent(app, 'import', data);
  expect([refused.statusCode, refused.json().details?.[0]?.message]).toEqual([
    400,
    expect.stringContaining(errors[0].message),
  ]);
  expect(await countEvents(app.db)).toBe(before);
  return errors;
}

/** The validation errors of a document, independent of the target. */
async function faultsOf(data: object): Promise<unknown> {
  const [validation, refused] = [
    await sent(app, 'validate', data),
    await sent(app, 'import', data),
  ];
  expect([validation.statusCode, refused.statusCode]).toEqual([400, 400]);
  expect(refused.json().details).toEqual(validation.json().details);
  return validation.json().details;
}

describe('tags in an import', () => {
  test('are limited to 100 per feature, counting duplicates once', async () => {
    const values = numbered(101, 'value');
    expect(await faultsOf(named(['busy'], { featureTags: tagged('busy', values) }))).toEqual([
      {
        path: '/body/data/featureTags',
        message: "/body/data/featureTags has 101 tags of 'busy': at most 100 are allowed",
      },
    ]);
    const twice = [...values.slice(0, 100), 'value-0'];
    const fine = await sent(app, 'import', named(['busy'], { featureTags: tagged('busy', twice) }));
    expect(fine.statusCode).toBe(200);
    const tags = await app.ask('GET /api/admin/features/busy/tags');
    expect(tags.json().tags).toHaveLength(100);
  });

  test('are limited together with existing tags of the feature', async () => {
    const values = numbered(100, 'more');
    const data = named(['collector'], { featureTags: tagged('collector', values.slice(0, 60)) });
    expect((await sent(app, 'import', data)).statusCode).toBe(200);
    const featureTags = tagged('collector', [...values.slice(59), 'one-more']);
    expect(await errorsOf(named(['collector'], { featureTags }))).toEqual([
      { message: 'These features would have more than 100 tags', affectedItems: ['collector'] },
    ]);
  });
});

describe('parents in an import', () => {
  const depending = (parents: readonly string[]) =>
    named(['child', ...parents], {
      dependencies: [{ feature: 'child', dependencies: parents.map((feature) => ({ feature })) }],
    });

  test('are limited to 20 per child', async () => {
    expect(await faultsOf(depending(numbered(21, 'parent')))).toMatchObject([
      { path: '/body/data/dependencies/0/dependencies' },
    ]);
  });

  test('are limited together with existing parents of the child', async () => {
    expect((await sent(app, 'import', depending(numbered(20, 'parent')))).statusCode).toBe(200);
    expect(await errorsOf(depending(['parent-0', 'another']))).toEqual([
      { message: 'More than 20 dependencies', affectedItems: ['child'] },
    ]);
  });
});

describe('texts in an import', () => {
  test('have a limit of 10,000 characters for a description', async () => {
    const described = (length: number) => ({
      features: [{ name: 'wordy', description: 'x'.repeat(length) }],
      featureStrategies: [],
    });
    expect(await faultsOf(described(10_001))).toMatchObject([
      { path: '/body/data/features/0/description' },
    ]);
    expect((await sent(app, 'validate', described(10_000))).statusCode).toBe(200);
  });

  test('are not repeated in full in error messages', async () => {
    const state = { featureName: 'x'.repeat(100_000), enabled: false };
    const response = await sent(app, 'validate', {
      ...named([]),
      featureEnvironments: [state, state],
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toHaveLength(2 + 1);
    expect(response.body.length).toBeLessThan(2000);
  });

  test('report the naming pattern once, however many names do not match', async () => {
    const description = 'd'.repeat(200);
    const rule = { pattern: 'ui-.*', example: 'ui-menu', description };
    await make(app.ask).project('named', { featureNaming: rule });
    const names = numbered(50, 'api');
    const response = await sent(app, 'validate', named([...names, 'ui-fine']), {
      project: 'named',
    });
    expect(response.json().errors).toEqual([
      {
        message: `Names don't match the naming pattern 'ui-.*'; example: 'ui-menu'; description: '${description}'`,
        affectedItems: names.toSorted(),
      },
    ]);
  });
});

test('more than 1,000 regular expressions are rejected before any is compiled', async () => {
  const document = (count: number, value: string) => {
    const names = numbered(Math.ceil(count / 30), 'matching');
    const constraint = { contextName: 'userId', operator: 'REGEX', value };
    return named(names, {
      featureStrategies: names.map((featureName, index) => ({
        featureName,
        name: 'default',
        constraints: Array.from({ length: Math.min(30, count - index * 30) }, () => constraint),
      })),
    });
  };
  expect(await faultsOf(document(1001, '('))).toEqual([
    {
      path: '/body/data/featureStrategies',
      message: '/body/data/featureStrategies has 1001 REGEX constraints; at most 1000 are allowed',
    },
  ]);
  expect((await sent(app, 'validate', document(1000, 'a+'))).statusCode).toBe(200);
});

test('an import that could record more than 20,000 events is rejected', async () => {
  // Each tag is created and added, each feature is created, and one event records the import.
  const document = (features: number) => {
    const names = numbered(features, 'many');
    const featureTags = names
      .slice(0, 99)
      .flatMap((name) => tagged(name, numbered(100, `of-${name}`)));
    return named(names, { featureTags });
  };
  const validationErrors = async (features: number) =>
    (await sent(app, 'validate', document(features))).json().errors;
  expect(await validationErrors(200)).toEqual([
    {
      message: 'Import too large: 20001 events, the maximum is 20000. Split the file',
      affectedItems: [],
    },
  ]);
  expect(await validationErrors(199)).toEqual([]);
});

test('constraints must use legal values of the context fields in the document', async () => {
  const document = (value: string) =>
    named(['regional'], {
      featureStrategies: [
        {
          featureName: 'regional',
          name: 'default',
          constraints: [{ contextName: 'region', operator: 'IN', values: ['eu', value] }],
        },
      ],
      contextFields: [{ name: 'region', legalValues: [{ value: 'eu' }, { value: 'us' }] }],
    });
  expect(await errorsOf(document('mars'))).toEqual([
    {
      message: 'Constraint values not allowed by their context fields',
      affectedItems: [
        "regional: 'mars' is not a legal value of the context field 'region'. Legal values are eu, us",
      ],
    },
  ]);
  expect((await sent(app, 'import', document('us'))).statusCode).toBe(200);
});

test('an existing context field keeps its own legal values', async () => {
  await app.ask('POST /api/admin/context', { payload: { name: 'free' } });
  const response = await sent(
    app,
    'validate',
    named(['unbound'], {
      featureStrategies: [
        {
          featureName: 'unbound',
          name: 'default',
          constraints: [{ contextName: 'free', operator: 'IN', values: ['anything'] }],
        },
      ],
      contextFields: [{ name: 'free', legalValues: [{ value: 'something' }] }],
    }),
  );
  expect(response.json().errors).toEqual([]);
});
