import { defineEvent } from '../../../events/index.ts';
import type { FeatureType } from './contract.ts';

export const featureTypeUpdated = defineEvent<FeatureType>({
  type: 'feature-type-updated',
  summary: ({ user, data, bold }) => {
    const lifetime = data.lifetimeDays === null ? 'unlimited' : `${bold(data.lifetimeDays)} days`;
    return `${user} set the lifetime of the feature type ${bold(data.name)} to ${lifetime}`;
  },
});
