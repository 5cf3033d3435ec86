import type pg from 'pg';
import type { Service } from './load.ts';
import { send } from './send.ts';
import { projects } from './vocabulary.ts';

/** A reader of the log, and what they may see of it. */
export interface Reader {
  readonly name: string;
  readonly token: string;
  readonly sees: readonly string[];
}

const kinds = [
  { name: 'a viewer who sees all', own: projects },
  { name: 'a viewer from whom 1 of 20 is hidden', own: projects.filter((_, nth) => nth !== 4) },
  { name: 'a member of one project', own: projects.slice(3, 4) },
];

const viewer = 3;
const member = 5;

/** The prefix of accounts that an earlier run created on the same log. */
const prefix = 'bench-reader';

/**
 * Creates accounts that see all, most, or one of the generated log's projects. The projects are inserted into the
 * database: created through the API, they would begin at the end of the log.
 */
export async function makeReaders(admin: Service, pool: pg.Pool): Promise<Reader[]> {
  await pool.query(
    `insert into projects (id, name, mode, created_at, updated_at)
     select id, id, 'private', now(), now() from unnest($1::text[]) id on conflict do nothing`,
    [[...projects]],
  );
  const readers: Reader[] = [];
  for (const [nth, { name, own }] of kinds.entries()) {
    const username = `${prefix}-${nth}-${Date.now()}`;
    const made = await send(admin, 'POST', '/api/admin/service-account', {
      username,
      rootRole: viewer,
    });
    const { id } = JSON.parse(made.text) as { id: number };
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const token = await send(admin, 'POST', `/api/admin/service-account/${id}/token`, {
      description: 'bench',
      expiresAt,
    });
    const { secret } = JSON.parse(token.text) as { secret: string };
    for (const project of own) {
      await send(admin, 'POST', `/api/admin/projects/${project}/access`, {
        roles: [member],
        groups: [],
        users: [id],
      });
    }
    readers.push({ name, token: secret, sees: ['default', ...own] });
  }
  return readers;
}
