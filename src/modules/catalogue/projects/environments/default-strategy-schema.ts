import { type Static, Type } from 'typebox';
import { named, oneOf } from '../../../../platform/contract/schema.ts';
import { setStrategyShape, strategyShape } from '../../strategy-types/strategy-schema.ts';

const name = oneOf(['flexibleRollout']);

/** The strategy that new features of a project get in an environment. */
export const DefaultStrategySchema = named(
  'defaultStrategySchema',
  Type.Object({ ...strategyShape, name }),
);
export type DefaultStrategy = Static<typeof DefaultStrategySchema>;

export const SetDefaultStrategySchema = named(
  'setDefaultStrategySchema',
  Type.Object({ ...setStrategyShape, name }),
);
export type SetDefaultStrategy = Static<typeof SetDefaultStrategySchema>;
