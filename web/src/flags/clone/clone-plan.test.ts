import { expect, test } from 'vitest';
import { faultMessage } from '../../ui/fault-message.ts';
import { copyNames, environmentRows, faultsByCopy, partsOf } from './clone-plan.ts';

test('each copy has its own name', () => {
  expect(copyNames(['a', 'b'], 'shop-{name}')).toEqual([
    { feature: 'a', name: 'shop-a' },
    { feature: 'b', name: 'shop-b' },
  ]);
});

const copies = copyNames(['a', 'b'], '{name}-copy');

test('a validation error of a copy is shown at its original', () => {
  const error = { status: 400, kind: 'BadDataError', message: 'no' };
  const faults = [
    { path: '/body/features/1/name', message: "/body/features/1/name is too long; you sent 'bbb'" },
    { path: '/body/project', message: 'elsewhere' },
  ];
  expect([...faultsByCopy({ ...error, faults }, copies)]).toEqual([
    ['b', faultMessage(faults[0]?.message ?? '')],
  ]);
});

test('a name conflict of a copy is shown at its original', () => {
  const message = "A feature named 'b-copy' already exists";
  const error = { status: 409, kind: 'NameExistsError', message, faults: [{ message }] };
  expect([...faultsByCopy(error, copies)]).toEqual([['b', message]]);
});

test('the summary of a clone lists what is copied', () => {
  const environments = [
    { name: 'development', strategies: [{}, {}], variants: [{}] },
    { name: 'production', strategies: [], variants: [] },
  ];
  expect(
    partsOf({ type: 'release', tags: [{}], links: [{}, {}], dependencies: [], environments }),
  ).toBe('Type: Release · 1 tag · 2 links');
  expect(environmentRows({ environments })).toEqual([
    { name: 'development', strategies: 2, variants: 1 },
  ]);
});
