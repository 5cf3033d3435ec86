import { followFeature, followProject } from '../modules/flags/follows/index.ts';
import type { Chapter } from './chapter.ts';
import { administrator } from './people.ts';

const project = 'checkout';
const [shop, feature] = ['web-shop', 'passkeys'];

/** Someone follows a project, and a feature of another one. */
const followsOf = (login: string): readonly Chapter[] => [
  {
    daysAgo: 30,
    by: login,
    requests: [{ operation: 'followProject', project }],
    run: (tx) => followProject(tx, project),
  },
  {
    daysAgo: 29,
    by: login,
    requests: [{ operation: 'followFeature', project: shop }],
    run: (tx) => followFeature(tx, { project: shop, feature }),
  },
];

/** The account that the first start created has a Home to show, if it is still there. */
export const follows = (firstAdministrator: string | undefined): readonly Chapter[] =>
  [administrator, ...(firstAdministrator === undefined ? [] : [firstAdministrator])].flatMap(
    followsOf,
  );
