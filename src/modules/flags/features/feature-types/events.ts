import { counted } from '../../../../platform/counted.ts';
import { defineEvent } from '../../../events/index.ts';
import type { FeatureType } from './contract.ts';

export const featureTypeUpdated = defineEvent<FeatureType>({
  type: 'feature-type-updated',
  summary: ({ user, data, bold }) => {
    const lifetime =
      data.lifetimeDays === null ? 'unlimited' : counted(Number(data.lifetimeDays), 'day');
    return `${user} set the expected lifetime of ${bold(data.name)} features to ${lifetime}`;
  },
});
