import { useQuery } from '@tanstack/react-query';
import { read } from '../../queries.ts';
import { isConnected } from './connected.ts';

const happened = (type: string, limit = '1') =>
  read('GET /api/admin/search/events', { query: { type: `IS:${type}`, limit } });

export const stepsQueries = {
  features: read('GET /api/admin/search/features', { query: { limit: '1' } }),
  created: happened('feature-created'),
  switched: happened('feature-environment-enabled'),
  // More than one, because the first start makes a token for an administrator.
  token: happened('api-token-created', '100'),
  applications: read('GET /api/admin/metrics/applications', {}),
  tokens: read('GET /api/admin/api-tokens', {}),
};

/** An installation with more features is set up. */
export const fewFeatures = 10;

export interface Steps {
  readonly isFresh: boolean;
  readonly hasFeature: boolean;
  readonly isSwitchedOn: boolean;
  readonly hasToken: boolean;
  readonly wasAsked: boolean;
  /** For the snippets. */
  readonly feature: { readonly name: string; readonly project: string } | undefined;
}

/** No event tells of the first use of a token. */
const usePollMs = 2_000;

export const stepTitles = {
  hasFeature: 'Create a feature',
  isSwitchedOn: 'Enable the feature',
  hasToken: 'Create an API token',
  wasAsked: 'Connect your application',
} as const;

type StepName = keyof typeof stepTitles;

const stepNames = Object.keys(stepTitles) as StepName[];

/** The first step that isn't done, while the setup goes on. */
export const nextStep = (steps: Pick<Steps, StepName | 'isFresh'>): StepName | undefined =>
  steps.isFresh ? stepNames.find((name) => !steps[name]) : undefined;

/** Which steps are done, by the log and by what SDKs report. */
export function useSteps(): Steps {
  const found = useQuery(stepsQueries.features).data;
  const hasFew = found !== undefined && found.total < fewFeatures;
  const ask = { enabled: hasFew };
  const created = useQuery({ ...stepsQueries.created, ...ask }).data;
  const switched = useQuery({ ...stepsQueries.switched, ...ask }).data;
  const token = useQuery({ ...stepsQueries.token, ...ask }).data;
  const applications = useQuery({ ...stepsQueries.applications, ...ask }).data;
  const hasToken = token?.events.some(({ data }) => data?.type !== 'admin') ?? false;
  // Only those who may read tokens get an answer. For others, applications count. Read before there is a token: if it
  // were loaded only then, the steps would be hidden meanwhile, together with the secret that was just created.
  const { data: tokens, isLoading } = useQuery({
    ...stepsQueries.tokens,
    ...ask,
    refetchInterval: ({ state: { data, error } }) =>
      !hasToken || error || isConnected({ applications, tokens: data }) ? false : usePollMs,
  });
  const done = {
    hasFeature: (created?.total ?? 0) > 0 || (found?.total ?? 0) > 0,
    isSwitchedOn: (switched?.total ?? 0) > 0,
    hasToken,
    wasAsked: isConnected({ applications, tokens }),
  };
  const isKnown = [created, switched, token, applications].every((answer) => answer !== undefined);
  return {
    ...done,
    isFresh: hasFew && isKnown && !isLoading && !Object.values(done).every(Boolean),
    feature: found?.features[0],
  };
}
