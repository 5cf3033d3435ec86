import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import { bulkTagFaults } from '../../../catalogue/tags/index.ts';
import type { BulkAction, BulkChange, contract } from './contract.ts';

const required = (name: string, action: BulkAction): Fault => ({
  path: `/body/${name}`,
  message: `/body/${name} is required for the action '${action}'`,
});

/** What an action needs besides the features, and how much it may change. */
function actionFaults(change: Partial<BulkChange>): Fault[] {
  const { action, environment, newProjectId, status, addedTags = [], removedTags = [] } = change;
  if (action === 'enable' || action === 'disable') {
    return environment === undefined ? [required('environment', action)] : [];
  }
  if (action === 'set-owner') return change.owner === undefined ? [required('owner', action)] : [];
  if (action === 'complete') return status === undefined ? [required('status', action)] : [];
  if (action === 'move') {
    return newProjectId === undefined ? [required('newProjectId', action)] : [];
  }
  if (action !== 'tag') return [];
  if (addedTags.length + removedTags.length === 0) return [required('addedTags', action)];
  return bulkTagFaults(change.features?.length ?? 0, { addedTags, removedTags }, '/body');
}

export const checks = {
  changeFeaturesInBulk: ({ body }) => actionFaults(body),
} satisfies Checks<typeof contract>;
