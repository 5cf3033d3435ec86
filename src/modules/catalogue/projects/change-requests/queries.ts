import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import type { ChangeRequestRules } from './contract.ts';

type Approvers = ChangeRequestRules['approvers'];

/** Those who exist. */
export async function findApprovers(
  db: Db,
  { users, groups, roles }: Approvers,
): Promise<Approvers> {
  const { rows } = await sql<Approvers>`
    select
      array(select id from users
        where id = any(${users}::int[]) and kind = 'person' and deleted_at is null) as users,
      array(select id from groups where id = any(${groups}::int[])) as groups,
      array(select id from roles where id = any(${roles}::int[])) as roles`.execute(db);
  return rows[0] as Approvers;
}
