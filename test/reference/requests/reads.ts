import { admin, feature, get, inProject, post, type Step } from './request.ts';

const search = (query: string) => get(`${admin}/search/features?${query}`);
const playground = (context: object) =>
  post(`${admin}/playground`, { environment: 'development', projects: ['default'], context });

export const readSteps: Step[] = [
  search('limit=5&sortBy=name'),
  search('query=varied&limit=3&sortBy=name&sortOrder=desc'),
  search('type=IS:experiment&sortBy=name&limit=5'),
  search('state=IS:active&tag=INCLUDE:team:checkout'),
  search('tag=INCLUDE:team:no-such-value'),
  search('segment=INCLUDE:vip'),
  search('project=IS:no-such-project'),
  search('archived=IS:true&sortBy=name'),
  search('limit=nonsense&sortBy=name'),
  get(`${admin}/projects`),
  get(`${admin}/projects/default/overview`),
  get(inProject('environments/production/default-strategy')),
  get(inProject('health-report')),
  get(`${admin}/projects/no-such-project/overview`),
  get(`${admin}/segments/{{segment-vip}}/strategies`),
  get(`${admin}/segments/strategies/no-such-strategy`),
  get(`${admin}/context`),
  get(`${admin}/segments`),
  get(`${admin}/metrics/applications`),
  get(`${admin}/metrics/applications/no-such-application`),
  get(`${admin}/client-metrics/features/bare`),
  get(feature('varied-6')),
  playground({ appName: 'playground', userId: 'user-1' }),
  playground({ appName: 'playground', userId: 'user-30', properties: { age: '40', plan: 'gold' } }),
  playground({}),
  get(`${admin}/no-such-path`),
];
