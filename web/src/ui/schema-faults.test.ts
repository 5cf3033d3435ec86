import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { nullable, withDefault } from '../../../src/platform/contract/endpoint.ts';
import { nameText } from '../../../src/platform/contract/schema.ts';
import { schemaFaults } from './schema-faults.ts';

const schema = Type.Object({
  name: nameText({ maxLength: 10 }),
  note: Type.Optional(nullable(Type.String({ maxLength: 5 }))),
  values: withDefault(Type.Array(Type.Object({ value: Type.String({ minLength: 1 }) })), []),
});

const nameRule =
  'Must be 1 to 10 characters, not all of them blank, none of them a control character';

test.each([
  ['accepts a valid body', { name: 'æ 😀', note: null, values: [{ value: 'x' }] }, []],
  ['accepts a missing property with a default', { name: 'x' }, []],
  ['reports a missing property', {}, [{ field: 'name', message: 'Required', isMissing: true }]],
  ['reports an empty text', { name: '' }, [{ field: 'name', message: nameRule, isMissing: true }]],
  [
    'reports an invalid character',
    { name: 'a\u0007' },
    [{ field: 'name', message: nameRule, isMissing: false }],
  ],
  [
    'reports a text that is too long',
    { name: 'x', note: 'too long' },
    [{ field: 'note', message: 'Must not have more than 5 characters', isMissing: false }],
  ],
  [
    'reports an invalid item of a list',
    { name: 'x', values: [{ value: 'a' }, { value: '' }] },
    [
      {
        field: 'values.1.value',
        message: 'Must not have fewer than 1 characters',
        isMissing: true,
      },
    ],
  ],
] as const)('the validation of a form %s', (_, body, faults) => {
  expect(schemaFaults(schema, body)).toEqual(faults);
});
