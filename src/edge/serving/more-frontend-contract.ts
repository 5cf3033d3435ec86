import { Type } from 'typebox';
import { contract, FrontendFeatureSchema } from '../../modules/sdk/frontend-api/contract.ts';
import { endpoint } from '../../platform/contract/endpoint.ts';

const { getFrontendFeatures: byQuery, evaluateFrontendFeatures: byBody } = contract;

const all = {
  path: '/api/frontend/all',
  summary: 'Evaluate all features, including disabled ones',
} as const;

export const allFrontendContract = {
  getAllFrontendFeatures: endpoint({ ...byQuery, ...all, id: 'getAllFrontendFeatures' }),
  evaluateAllFrontendFeatures: endpoint({ ...byBody, ...all, id: 'evaluateAllFrontendFeatures' }),
};

const { notModified: _, ...readOne } = byQuery;
const { notModified: __, ...evaluateOne } = byBody;
const one = {
  path: '/api/frontend/features/:featureName',
  summary: 'Evaluate one feature',
  description: 'Also a disabled one.',
  params: Type.Object({ featureName: Type.String() }),
  response: FrontendFeatureSchema,
} as const;

export const oneFrontendContract = {
  getFrontendFeature: endpoint({ ...readOne, ...one, id: 'getFrontendFeature' }),
  evaluateFrontendFeature: endpoint({ ...evaluateOne, ...one, id: 'evaluateFrontendFeature' }),
};
