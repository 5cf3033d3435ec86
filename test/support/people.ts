import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
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
  const token = `user:${newSecret()}`;
  const held = Object.entries(input.roles ?? {}).flatMap(([project, roles]) =>
    [roles].flat().map((role) => ({ project, role })),
  );
  // One statement, because hundreds of tests begin with it.
  const { rows } = await sql<{ id: number }>`
    with account as (
      insert into users (kind, name, username, root_role, created_at)
      values (${input.kind ?? 'person'}, ${username}, ${username}, ${input.rootRole ?? 3}, ${now})
      returning id
    ), login as (
      insert into login_names (name, user_id) select ${username}::text, id from account
    ), held as (
      insert into project_user_roles (project, user_id, role_id, granted_at)
      select project, id, role, ${now}::timestamptz
      from account, json_to_recordset(${JSON.stringify(held)}) as held (project text, role int)
    ), token as (
      insert into personal_tokens (user_id, description, secret_hash, created_at, expires_at)
      select id, 'test', ${hashSecret(token)}::bytea, ${now}::timestamptz, ${input.expiresAt ?? null}::timestamptz
      from account
    )
    select id from account`.execute(app.db);
  const { id } = rows[0] as { id: number };
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
