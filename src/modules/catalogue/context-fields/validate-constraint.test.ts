import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { countEvents } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const create = (payload: object) => app.ask('POST /api/admin/context', { payload });
const pathsOf = (response: { json: () => { details: { path: string }[] } }) =>
  response.json().details.map(({ path }) => path);

describe('validating a constraint', () => {
  const validate = (payload: object) =>
    app.ask('POST /api/admin/constraints/validate', { payload });

  test('returns 204 for a valid constraint and records nothing', async () => {
    const before = await countEvents(app.db);
    const response = await validate({ contextName: 'anything', operator: 'IN', values: ['x'] });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('reports errors with paths relative to the body', async () => {
    const number = await validate({ contextName: 'age', operator: 'NUM_GT', value: 'old' });
    expect(number.statusCode).toBe(400);
    expect(number.json().details).toEqual([
      {
        path: '/body/value',
        message: '/body/value must be a number, such as 42 or -1.5 (NUM_GT); you sent "old"',
      },
    ]);
    expect(pathsOf(await validate({ contextName: 'a', operator: 'LIKE' }))).toEqual([
      '/body/operator',
    ]);
    expect(pathsOf(await validate({ operator: 'STR_CONTAINS', values: [''] }))).toEqual([
      '/body/contextName',
      '/body/values/0',
    ]);
    expect(pathsOf(await validate({}))).toEqual(['/body/contextName', '/body/operator']);
  });

  test('requires legal values for operators that compare whole values, but not for partial matches', async () => {
    const legalValues = ['1', '2', '2026-01-31T12:00:00Z', '1.2.3'].map((value) => ({ value }));
    await create({ name: 'limited', legalValues });
    const on400 = async (constraint: object) => {
      const response = await validate({ contextName: 'limited', ...constraint });
      expect(response.statusCode).toBe(400);
      return response.json().details;
    };
    expect(await on400({ operator: 'IN', values: ['1', '3', '4'] })).toEqual([
      {
        path: '/body/values/1',
        message:
          "/body/values/1 '3' is not a legal value of the context field 'limited'. Legal values are 1, 2, 2026-01-31T12:00:00Z, 1.2.3",
      },
      { path: '/body/values/2', message: expect.stringContaining("'4'") },
    ]);
    expect(await on400({ operator: 'NOT_IN', values: ['3'] })).toMatchObject([
      { path: '/body/values/0' },
    ]);
    for (const [operator, value] of [
      ['NUM_EQ', '3'],
      ['DATE_AFTER', '2026-01-31T12:00:01Z'],
      ['SEMVER_LT', '1.2.4'],
      ['SEMVER_GTE', '1.2.4'],
    ]) {
      expect(await on400({ operator, value })).toMatchObject([{ path: '/body/value' }]);
    }
    const fine = [
      { operator: 'IN', values: ['1', '2'] },
      { operator: 'IN', values: [] },
      { operator: 'NUM_GTE', value: '2' },
      { operator: 'DATE_BEFORE', value: '2026-01-31T12:00:00Z' },
      { operator: 'SEMVER_EQ', value: '1.2.3' },
      { operator: 'STR_CONTAINS', values: ['3'] },
      { operator: 'STR_STARTS_WITH', values: ['3'] },
      { operator: 'STR_ENDS_WITH', values: ['3'] },
      { operator: 'REGEX', value: '3+' },
      { operator: 'IN_CIDR', values: ['10.0.0.0/8'] },
    ];
    for (const constraint of fine) {
      const response = await validate({ contextName: 'limited', ...constraint });
      expect([constraint, response.statusCode]).toEqual([constraint, 204]);
    }
  });

  test('lists at most ten legal values in the message', async () => {
    const legalValues = Array.from({ length: 12 }, (_, n) => ({ value: `v${n}` }));
    await create({ name: 'many', legalValues });
    const response = await validate({ contextName: 'many', operator: 'IN', values: ['x'] });
    expect(response.json().message).toMatch(/v9 and 2 more$/);
  });
});
