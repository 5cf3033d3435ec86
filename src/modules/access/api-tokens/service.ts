import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { badData, type Fault, invalidOperation, notFound } from '../../../platform/errors.ts';
import { endFaults, expiryFaults, expiryOf } from '../../../platform/expiry.ts';
import { demand, sees } from '../../../platform/permission.ts';
import { record } from '../../events/index.ts';
import { mayIn, type RequiredPermissions, requireInProjects } from '../gate/index.ts';
import { maxApiTokens } from '../settings/index.ts';
import { type ApiToken, type CreateToken, type TokenType, typeOf } from './contract.ts';
import { apiTokenUpdated } from './events.ts';
import { toCreatedToken, tokenDataOf, toListedToken } from './present.ts';
import {
  countTokens,
  type ListedToken,
  listActiveTokens,
  lockEnvironment,
  lockProjects,
  lockToken,
  type NewToken,
  type Token,
  updateToken,
} from './queries.ts';
import { everywhere, newAdminSecret, newScopedSecret, type TokenScope } from './scope.ts';
import { openSecret } from './sealing.ts';
import { createToken, eventScopeOf, revoke } from './token.ts';

type Keys = readonly Buffer[];

type Action = 'READ' | 'CREATE' | 'UPDATE' | 'DELETE';

const permissionFor = (action: Action, type: TokenType): string =>
  type === 'admin' ? 'ADMIN' : `${action}_${type.toUpperCase()}_API_TOKEN`;

/**
 * The project permissions for each action. Changing the expiry needs both, because it may end a token or extend it for
 * ever.
 */
const ownPermissions: Readonly<Record<Action, readonly string[]>> = {
  READ: ['READ_PROJECT_API_TOKEN'],
  CREATE: ['CREATE_PROJECT_API_TOKEN'],
  UPDATE: ['CREATE_PROJECT_API_TOKEN', 'DELETE_PROJECT_API_TOKEN'],
  DELETE: ['DELETE_PROJECT_API_TOKEN'],
};

const requiredFor = (action: Action, type: TokenType): RequiredPermissions => ({
  root: permissionFor(action, type),
  own: ownPermissions[action],
});

/** Whether the actor sees everything that a token reaches. A token for all projects reaches hidden ones, too. */
const seesAllProjectsOf = (actor: Actor, { projects }: Token): boolean =>
  projects.every((id) => sees(actor, id));

/**
 * Whether the actor could create a token with the same reach: then its secret gives them nothing new. Secrets of admin
 * tokens are shown to no one.
 */
const maySeeSecret = (actor: Actor, { type, projects }: Token): boolean =>
  type !== 'admin' &&
  (projects.includes(everywhere)
    ? actor.may('ADMIN')
    : projects.every((id) => sees(actor, id) && mayIn(actor, id, requiredFor('CREATE', type))));

/** The reader of a list, and the keys of stored secrets. */
interface Reader {
  readonly actor: Actor;
  readonly keys: Keys;
}

const toListed = (token: ListedToken, { actor, keys }: Reader): ApiToken =>
  toListedToken(
    token,
    actor.sees,
    maySeeSecret(actor, token) ? openSecret(keys, token) : undefined,
  );

export async function listTokensFor(
  db: Db,
  { actor, keys }: Reader,
  filter: { readonly name?: string } = {},
): Promise<ApiToken[]> {
  const tokens = await listActiveTokens(db, filter);
  return tokens
    .filter(({ type }) => actor.may(permissionFor('READ', type)))
    .filter((token) => seesAllProjectsOf(actor, token))
    .filter(({ type, projects }) =>
      projects.every((id) => mayIn(actor, id, requiredFor('READ', type))),
    )
    .map((token) => toListed(token, { actor, keys }));
}

/** The tokens of a project. Other projects of a token are listed only if the actor may know them. */
export async function listTokensOfProject(
  db: Db,
  reader: Reader,
  project: string,
): Promise<ApiToken[]> {
  const tokens = await listActiveTokens(db, { project });
  return tokens.map((token) => toListed(token, reader));
}

export async function createApiToken(
  tx: Tx,
  input: CreateToken,
  {
    keys = [],
    origin = 'api',
  }: { readonly keys?: Keys; readonly origin?: NewToken['origin'] } = {},
): Promise<ApiToken> {
  const type = typeOf(input.type);
  demand(tx.actor, permissionFor('CREATE', type));
  const projects = input.projects?.length ? input.projects : [input.project ?? everywhere];
  // No one can grant more than they have. `*` includes hidden and future projects.
  if (projects.includes(everywhere)) demand(tx.actor, 'ADMIN');
  // `lockScope` reports projects that do not exist or are hidden.
  const visible = projects.filter((id) => sees(tx.actor, id));
  requireInProjects(tx.actor, visible, requiredFor('CREATE', type));
  return insertCheckedToken(tx, input, { type, projects, origin, keys });
}

export async function createTokenOfProject(
  tx: Tx,
  project: string,
  input: CreateToken,
  keys: Keys = [],
): Promise<ApiToken> {
  const [there] = await lockProjects(tx, [project]);
  if (there === undefined) throw notFound('project', project);
  return insertCheckedToken(tx, input, {
    type: typeOf(input.type),
    projects: [project],
    origin: 'api',
    keys,
  });
}

interface NewTokenDetails {
  readonly type: TokenType;
  readonly projects: readonly string[];
  readonly origin: NewToken['origin'];
  readonly keys: Keys;
}

async function insertCheckedToken(
  tx: Tx,
  input: CreateToken,
  { type, projects, origin, keys }: NewTokenDetails,
): Promise<ApiToken> {
  const faults = expiryFaults(input.expiresAt, tx.now, '/body/expiresAt');
  const scope = type === 'admin' ? undefined : await lockScope(tx, input, projects, faults);
  if (faults.length > 0) throw badData(faults);
  if ((await countTokens(tx)) >= maxApiTokens) {
    throw invalidOperation(
      `The limit of ${maxApiTokens} API tokens is reached. Revoke some tokens first`,
    );
  }
  const secret = scope ? newScopedSecret(scope) : newAdminSecret();
  const name = input.tokenName ?? (input.username as string);
  const alias = input.alias ?? null;
  const expiresAt = expiryOf(input.expiresAt);
  const token = await createToken(
    tx,
    { name, type, secret, scope, origin, alias, expiresAt },
    keys,
  );
  return toCreatedToken(token, secret);
}

/** Locks what a token will reach, and adds its faults. */
async function lockScope(
  tx: Tx,
  input: CreateToken,
  projects: readonly string[],
  faults: Fault[],
): Promise<TokenScope> {
  const named = projects.filter((id) => id !== everywhere);
  const there = new Set(await lockProjects(tx, named));
  for (const [index, id] of named.entries()) {
    if (there.has(id) && sees(tx.actor, id)) continue;
    const path = input.projects ? `/body/projects/${index}` : '/body/project';
    faults.push({ path, message: `${path}: project '${id}' not found` });
  }
  const environment = await lockEnvironment(tx, input.environment);
  if (environment === undefined) {
    const which = input.environment === undefined ? '' : ` '${input.environment}'`;
    const path = '/body/environment';
    faults.push({ path, message: `${path}: environment${which} not found` });
  }
  return { project: projects, environment: environment ?? '' };
}

/** Locks the token with this secret or id, if the actor may do this with it. */
async function getToken(tx: Tx, secretOrId: string, action: Action): Promise<Token> {
  const token = await lockToken(tx, secretOrId);
  if (!token || !seesAllProjectsOf(tx.actor, token)) throw unknownToken();
  demand(tx.actor, permissionFor(action, token.type));
  requireInProjects(tx.actor, token.projects, requiredFor(action, token.type));
  return token;
}

/** Does not repeat the parameter, which may be the secret of a token. */
const unknownToken = () => notFound('API token', '*****');

export async function changeExpiry(
  tx: Tx,
  secretOrId: string,
  expiresAt: string | null,
): Promise<void> {
  const before = await getToken(tx, secretOrId, 'UPDATE');
  // A date in the past is allowed. It ends the token and leaves it in the list.
  const faults = endFaults(expiresAt, '/body/expiresAt');
  if (faults.length > 0) throw badData(faults);
  const after = { ...before, expiresAt: expiryOf(expiresAt) };
  if (after.expiresAt?.getTime() === before.expiresAt?.getTime()) return;
  await updateToken(tx, after);
  const eventScope = eventScopeOf(after);
  record(
    tx,
    apiTokenUpdated({ ...eventScope, data: tokenDataOf(after), preData: tokenDataOf(before) }),
  );
}

export async function removeApiToken(tx: Tx, secretOrId: string): Promise<void> {
  await revoke(tx, await getToken(tx, secretOrId, 'DELETE'));
}

export async function removeTokenOfProject(
  tx: Tx,
  project: string,
  secretOrId: string,
): Promise<void> {
  const token = await lockToken(tx, secretOrId);
  if (!token?.projects.includes(project)) throw unknownToken();
  if (token.projects.length > 1) {
    throw invalidOperation(
      `Token '${token.name}' also covers other projects. Use DELETE /api/admin/api-tokens/${token.id} instead`,
    );
  }
  await revoke(tx, token);
}
