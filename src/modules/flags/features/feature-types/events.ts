import { defineEvent } from '../../../events/index.ts';
import type { FeatureType } from './contract.ts';

export const featureTypeUpdated = defineEvent<FeatureType>({
  type: 'feature-type-updated',
  label: 'Feature type updated',
  summary: ({ user, data, bold }) => {
    const lifetime =
      data.lifetimeDays === null ? 'any age' : `an age of ${bold(data.lifetimeDays)} days`;
    return `${user} allows features of the type ${bold(data.name)} ${lifetime}`;
  },
});
