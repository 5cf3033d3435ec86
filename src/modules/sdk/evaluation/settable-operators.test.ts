import { Operator as SdkOperator } from 'unleash-client/lib/strategy/strategy.js';
import { expect, test } from 'vitest';
import { operands } from '../../catalogue/context-fields/constraint-schema.ts';
import { operators } from './operator.ts';

// Every operator that can be set is sent to SDKs, and evaluated by them and by us.
test('constraints accept exactly the operators known to the SDK and to our evaluator', () => {
  const known = Object.values(SdkOperator).sort();
  expect(Object.keys(operands).sort()).toEqual(known);
  expect([...operators.keys()].sort()).toEqual(known);
});
