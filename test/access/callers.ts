import { roleIds, typeOfPermission } from '../../src/modules/access/gate/index.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import type { TestApp } from '../support/app.ts';
import { customRole, person } from '../support/people.ts';
import { clientToken, frontendToken } from '../support/tokens.ts';
import { permissionsOf, type Role } from './oracle.ts';

/** The projects and the environment of a request, to which roles apply. */
export interface Target {
  readonly projects: readonly string[];
  readonly environment: string | undefined;
}

export interface Callers {
  /** The headers of a caller with exactly this role for this request. */
  readonly headersOf: (
    role: Role,
    endpoint: Endpoint,
    target: Target,
  ) => Promise<Record<string, string>>;
  /** Creates new callers from now on, because existing ones may have lost their roles. */
  readonly forget: () => void;
}

const other = (environment: string) =>
  environment === 'production' ? 'development' : 'production';

type Somebody = Parameters<typeof person>[1];

/** The type and permissions of a custom role. */
type Custom = readonly [
  type: Parameters<typeof customRole>[1],
  permissions: Parameters<typeof customRole>[2],
];

/** Creates each caller once, by its roles. */
export function createCallers(app: TestApp): Callers {
  const known = new Map<string, Promise<string>>();

  function once(key: unknown, make: () => Promise<string>): Promise<string> {
    const name = JSON.stringify(key);
    const token = known.get(name) ?? make();
    known.set(name, token);
    return token;
  }
  const as = (account: Somebody) => once(account, async () => (await person(app, account)).token);
  const revoked = () =>
    once('revoked', async () => {
      const { token, id } = await person(app, { rootRole: roleIds.admin });
      await app.db.deleteFrom('personal_tokens').where('user_id', '=', id).execute();
      return token;
    });
  const having = ([type, permissions]: Custom, account: (role: number) => Somebody) =>
    once([type, permissions, account(0)], async () => {
      const { token } = await person(app, account(await customRole(app, type, permissions)));
      return token;
    });

  function tokenOf(role: Role, endpoint: Endpoint, target: Target): string | Promise<string> {
    const asked = permissionsOf(endpoint).find((name) => name !== 'ADMIN') ?? 'none';
    const type = typeOfPermission(asked);
    const { environment, projects } = target;
    const inAll = (own: number) => ({
      roles: Object.fromEntries(projects.map((project) => [project, own])),
    });
    switch (role) {
      case 'anonymous':
        return '';
      case 'client token':
        return clientToken;
      case 'frontend token':
        return frontendToken;
      case 'expired token':
        return as({ rootRole: roleIds.admin, expiresAt: new Date(0) });
      case 'revoked token':
        return revoked();
      case 'viewer':
        return as({});
      case 'editor':
        return as({ rootRole: roleIds.editor });
      case 'member':
        return as(inAll(roleIds.member));
      case 'owner':
        return as(inAll(roleIds.owner));
      case 'service account':
        return as({ rootRole: roleIds.editor, kind: 'service account' });
      case 'admin':
        return as({ rootRole: roleIds.admin });
      case 'exactly the permission': {
        if (type === undefined) return as({});
        if (type === 'root') {
          return having(['root-custom', [{ name: asked }]], (rootRole) => ({ rootRole }));
        }
        const where = type === 'environment' && environment !== undefined ? { environment } : {};
        return having(['custom', [{ name: asked, ...where }]], inAll);
      }
      case 'the permission elsewhere': {
        if (type === 'environment' && environment !== undefined) {
          return having(['custom', [{ name: asked, environment: other(environment) }]], inAll);
        }
        const held = type === 'project' ? [{ name: asked }] : [];
        return having(['custom', held], (own) => ({ roles: { elsewhere: own } }));
      }
    }
  }

  return {
    headersOf: async (role, endpoint, target) => ({
      authorization: await tokenOf(role, endpoint, target),
    }),
    forget: () => known.clear(),
  };
}
