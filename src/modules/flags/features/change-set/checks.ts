import { maxFaults } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import { manyExpressionsFaults } from '../../../catalogue/context-fields/index.ts';
import { type ReadyChange, readChange } from './actions.ts';
import type { changeSetContract, FeatureSetChange } from './contract.ts';

/** The REGEX constraints of a change whose payload is not checked yet. */
function expressionsOf({ payload }: FeatureSetChange): { operator: 'REGEX'; value: string }[] {
  const { constraints } = (payload ?? {}) as { readonly constraints?: unknown };
  if (!Array.isArray(constraints)) return [];
  return constraints.filter((each) => each?.operator === 'REGEX' && typeof each.value === 'string');
}

export const checks = {
  saveFeatureChanges: ({ body }) => {
    const tooMany = manyExpressionsFaults((body.changes ?? []).map(expressionsOf), '/body/changes');
    if (tooMany.length > 0) return { faults: tooMany, changes: [] };
    const read = (body.changes ?? []).map((change, index) =>
      readChange(change, `/body/changes/${index}`),
    );
    return {
      faults: read.flatMap(({ faults }) => faults).slice(0, maxFaults),
      changes: read.map(({ ready }) => ready as ReadyChange),
    };
  },
} satisfies Checks<typeof changeSetContract>;
