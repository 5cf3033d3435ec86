import { maxFaults } from '../../../../platform/errors.ts';
import { checked } from '../../../../platform/http/checked.ts';
import { type ReadyChange, readChange } from './actions.ts';
import { changeSetContract } from './contract.ts';

export const changeSetEndpoints = checked(changeSetContract, {
  saveFeatureChanges: ({ body }) => {
    const read = (body.changes ?? []).map(readChange);
    return {
      faults: read.flatMap(({ faults }) => faults).slice(0, maxFaults),
      changes: read.map(({ ready }) => ready as ReadyChange),
    };
  },
});
