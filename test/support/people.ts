import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { hashSecret, newSecret } from '../../src/platform/secret.ts';
import type { TestApp } from './app.ts';

export interface Person {
  readonly id: number;
  readonly name: string;
  /** A personal access token. */
  readonly token: string;
  readonly ask: TestApp['ask'];
}

interface PersonInput {
  /** 1 Admin, 2 Editor, 3 Viewer, or a custom root role. */
  readonly rootRole?: number;
  /** By project: 4 Owner, 5 Member, or a custom project role. */
  readonly roles?: Readonly<Record<string, number | readonly number[]>>;
  readonly kind?: 'person' | 'service account';
  /** Undefined: the token does not expire. */
  readonly expiresAt?: Date;
}

let made = 0;

/** A user with a token and these roles, inserted without the API, to test permissions. */
export async function person(app: TestApp, input: PersonInput = {}): Promise<Person> {
  made += 1;
  const now = new Date();
  // Padded, because lists are sorted by name.
  const username = `person-${process.pid}-${String(made).padStart(6, '0')}`;
  const { id } = await app.db
    .insertInto('users')
    .values({
      kind: input.kind ?? 'person',
      name: username,
      username,
      email: null,
      password_hash: null,
      external_subject: null,
      root_role: input.rootRole ?? 3,
      created_at: now,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db.insertInto('login_names').values({ name: username, user_id: id }).execute();
  for (const [project, roles] of Object.entries(input.roles ?? {})) {
    for (const role of [roles].flat()) {
      await app.db
        .insertInto('project_user_roles')
        .values({ project, user_id: id, role_id: role, granted_at: now })
        .execute();
    }
  }
  const token = `user:${newSecret()}`;
  await app.db
    .insertInto('personal_tokens')
    .values({
      user_id: id,
      description: 'test',
      secret_hash: hashSecret(token),
      created_at: now,
      expires_at: input.expiresAt ?? null,
    })
    .execute();
  const ask = (
    request: Parameters<TestApp['ask']>[0],
    { headers, ...options }: Omit<InjectOptions, 'url' | 'method'> = {},
  ): Promise<LightMyRequestResponse> =>
    app.ask(request, { ...options, headers: { authorization: token, ...headers } });
  return { id, name: username, token, ask };
}

let roles = 0;

/** A custom role with these permissions. */
export async function customRole(
  app: TestApp,
  type: 'root-custom' | 'custom',
  permissions: readonly { readonly name: string; readonly environment?: string }[],
): Promise<number> {
  roles += 1;
  const { id } = await app.db
    .insertInto('roles')
    .values({
      name: `role-${process.pid}-${String(roles).padStart(6, '0')}`,
      description: '',
      type,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (permissions.length > 0) {
    await app.db
      .insertInto('role_permissions')
      .values(
        permissions.map(({ name, environment }) => ({
          role_id: id,
          permission: name,
          environment: environment ?? null,
        })),
      )
      .execute();
  }
  return id;
}
