import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import type { Mutations } from './mutations.ts';

type Ask = TestApp['ask'];

const reviewOf = (feature: string) => `/api/admin/projects/default/features/${feature}/review`;

const declarePermanent = async (ask: Ask, feature: string) => {
  await make(ask).feature(feature);
  return ask(`PUT ${reviewOf(feature)}`, {
    payload: { permanent: true, reason: 'A switch for emergencies' },
  });
};

export const healthMutations: Mutations = {
  scenarios: {
    setFeatureReview: (ask) => declarePermanent(ask, 'reviewed'),
    setFeatureReviews: async (ask) => {
      await make(ask).feature('one-of-reviewed');
      return ask('POST /api/admin/projects/default/reviews', {
        payload: { features: ['one-of-reviewed'], permanent: true, reason: 'Needed' },
      });
    },
    deleteFeatureReviews: async (ask) => {
      await declarePermanent(ask, 'one-no-longer-reviewed');
      return ask('POST /api/admin/projects/default/reviews/delete', {
        payload: { features: ['one-no-longer-reviewed'] },
      });
    },
    deleteFeatureReview: async (ask) => {
      await declarePermanent(ask, 'no-longer-reviewed');
      return ask(`DELETE ${reviewOf('no-longer-reviewed')}`);
    },
  },
  conflicts: {},
  changesNothing: {},
};
