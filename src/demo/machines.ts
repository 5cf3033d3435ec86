import { createApiToken, createTokenOfProject } from '../modules/access/api-tokens/index.ts';
import { addRoles } from '../modules/access/project-access/index.ts';
import {
  createAccountToken,
  createServiceAccount,
} from '../modules/access/service-accounts/index.ts';
import { setFrontendOrigins } from '../modules/access/settings/index.ts';
import type { Installation } from '../modules/integrations/index.ts';
import { type Chapter, numberOf } from './chapter.ts';
import { administrator, idNamed, idOf, ownerOf, provisioning, releaseManager } from './people.ts';

const pipeline = 'deploy-bot';
const terraform = 'terraform';

const employed = (daysAgo: number, username: string, name: string, role: string): Chapter[] => [
  {
    daysAgo,
    by: administrator,
    requests: [{ operation: 'createServiceAccount' }],
    // The base URL is only used in the response, which is ignored.
    run: async (tx) => {
      const rootRole = await idNamed(tx, 'roles', role);
      return createServiceAccount(tx, { username, name, rootRole }, '');
    },
  },
  {
    daysAgo: daysAgo - 0.01,
    by: administrator,
    requests: [{ operation: 'createServiceAccountToken' }],
    run: async (tx) =>
      createAccountToken(tx, await idOf(tx, username), {
        description: 'CI',
        expiresAt: null,
      }),
  },
];

/** Makes an account the releaser of a project, who enables features in production. */
const releasing = (daysAgo: number, project: string, login: string): Chapter => ({
  daysAgo,
  by: ownerOf(project),
  requests: [{ operation: 'addAccessToProject', project }],
  run: async (tx) =>
    addRoles(tx, project, {
      roles: [await idNamed(tx, 'roles', releaseManager.role)],
      groups: [],
      users: [await idOf(tx, login)],
    }),
});

interface SdkToken {
  readonly tokenName: string;
  readonly type: 'client' | 'frontend';
  readonly environment: string;
}

type Keys = Installation['encryptionKeys'];

const tokenOf =
  (daysAgo: number, project: string, token: SdkToken) =>
  (keys: Keys): Chapter => ({
    daysAgo,
    by: ownerOf(project),
    requests: [{ operation: 'createProjectApiToken', project }],
    run: (tx) => createTokenOfProject(tx, project, token, keys),
  });

const provisioned =
  (daysAgo: number, projects: string[], token: SdkToken) =>
  (keys: Keys): Chapter => ({
    daysAgo,
    by: terraform,
    requests: [{ operation: 'createApiToken' }],
    run: (tx) => createApiToken(tx, { ...token, projects }, { keys }),
  });

const opened = (daysAgo: number, origins: readonly string[]): Chapter => ({
  daysAgo,
  by: administrator,
  requests: [{ operation: 'setCors' }],
  run: (tx) => setFrontendOrigins(tx, origins),
});

const releasers = [
  { project: 'checkout', login: releaseManager.login, since: 149 },
  { project: 'web-shop', login: pipeline, since: 159 },
];

/** The releaser of a project, if it has one; not for every feature. */
export const releaserIn = (project: string, thing: string, daysAgo: number): string | undefined =>
  numberOf(thing) % 5 === 0
    ? undefined
    : releasers.find((each) => each.project === project && each.since > daysAgo)?.login;

/** With a key of the installation their secrets can be shown again. */
const tokens: readonly ((keys: Keys) => Chapter)[] = [
  tokenOf(177, 'web-shop', {
    tokenName: 'shop-backend',
    type: 'client',
    environment: 'production',
  }),
  tokenOf(154, 'mobile', {
    tokenName: 'app-emulators',
    type: 'client',
    environment: 'development',
  }),
  tokenOf(145, 'web-shop', {
    tokenName: 'shop-browser',
    type: 'frontend',
    environment: 'production',
  }),
  provisioned(139, ['web-shop'], {
    tokenName: 'order-service',
    type: 'client',
    environment: 'production',
  }),
  provisioned(138.9, ['search'], {
    tokenName: 'search-service',
    type: 'client',
    environment: 'staging',
  }),
];

/** Service accounts and tokens. */
export const machines = ({ encryptionKeys }: Installation): readonly Chapter[] => [
  ...employed(160, pipeline, 'Deployment pipeline', 'Viewer'),
  ...employed(141, terraform, 'Infrastructure as code', provisioning),
  ...releasers.map(({ project, login, since }) => releasing(since, project, login)),
  releasing(158.9, 'checkout', pipeline),
  ...tokens.map((token) => token(encryptionKeys)),
  opened(146, ['https://shop.example.com']),
  opened(62, ['https://shop.example.com', 'https://m.shop.example.com', 'http://localhost:5173']),
];
