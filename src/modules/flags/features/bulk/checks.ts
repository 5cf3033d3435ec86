import type { Fault } from '../../../../platform/errors.ts';
import { checked } from '../../../../platform/http/checked.ts';
import { type BulkAction, type BulkChange, contract } from './contract.ts';

const required = (name: string, action: BulkAction): Fault => ({
  path: `/body/${name}`,
  message: `/body/${name} is required for the action '${action}'`,
});

/** What an action needs besides the features. */
function missingFaults(change: Partial<BulkChange>): Fault[] {
  const { action, environment, newProjectId, status, addedTags = [], removedTags = [] } = change;
  if (action === 'enable' || action === 'disable') {
    return environment === undefined ? [required('environment', action)] : [];
  }
  if (action === 'complete') return status === undefined ? [required('status', action)] : [];
  if (action === 'move') {
    return newProjectId === undefined ? [required('newProjectId', action)] : [];
  }
  if (action !== 'tag' || addedTags.length + removedTags.length > 0) return [];
  return [required('addedTags', action)];
}

export const endpoints = checked(contract, {
  changeFeaturesInBulk: ({ body }) => missingFaults(body),
});
