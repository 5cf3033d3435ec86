import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { maxInstancesReturned } from '../bounds.ts';
import type { Paging } from './paging.ts';
import { isVisible } from './queries.ts';

interface ProjectApplicationRow {
  readonly name: string;
  readonly environments: string[];
  readonly instances: string[];
  readonly sdks: string[];
}

interface FoundInProject {
  readonly applications: ProjectApplicationRow[];
  readonly total: number;
}

const running = sql`from application_instances i
  where i.app_name = page.app_name and i.environment = any(page.environments)`;

/** The applications that evaluate features of a project, with their environments, instances and SDKs. */
export async function searchProjectApplications(
  db: Db,
  project: string,
  search: {
    readonly words: string | undefined;
    readonly descending: boolean;
    readonly paging: Paging;
  },
): Promise<FoundInProject> {
  const { limit, offset } = search.paging;
  const order = sql`app_name ${sql.raw(search.descending ? 'desc' : 'asc')}`;
  const { rows } = await sql<FoundInProject>`
    with found as materialized (
      select used.app_name, array_agg(distinct used.environment order by used.environment) as environments
      from application_features used join features f on f.name = used.feature_name
      join applications a on a.app_name = used.app_name
      where f.project = ${project} and (
        strpos(lower(a.app_name), lower(${search.words ?? ''})) > 0
        or strpos(lower(a.description), lower(${search.words ?? ''})) > 0)
      group by used.app_name
    )
    select (select count(*)::int from found) as total, (
      select coalesce(json_agg(json_build_object(
        'name', page.app_name,
        'environments', page.environments,
        'instances', array(
          select newest.instance_id from (
            select i.instance_id, max(i.seen_at) as seen_at ${running} group by i.instance_id
          ) newest order by newest.seen_at desc, newest.instance_id limit ${maxInstancesReturned}),
        'sdks', array(
          select distinct i.sdk_version ${running} and i.sdk_version is not null order by i.sdk_version)
      ) order by page.${order}), '[]')
      from (select * from found order by ${order} limit ${limit} offset ${offset}) page
    ) as applications`.execute(db);
  return rows[0] as FoundInProject;
}

/** The SDKs of applications: of those that evaluate features of a project, or of all visible ones. */
export const listSdksInUse = (db: Db, sees: Actor['sees'], project?: string) =>
  db
    .selectFrom('application_instances as instance')
    .where('instance.sdk_version', 'is not', null)
    .where(isVisible(sees, 'instance.app_name'))
    .$if(project !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('application_features as used')
            .innerJoin('features', 'features.name', 'used.feature_name')
            .whereRef('used.app_name', '=', 'instance.app_name')
            .where('features.project', '=', project as string)
            .select('used.app_name'),
        ),
      ),
    )
    .select(['instance.app_name as appName', sql<string>`instance.sdk_version`.as('sdkVersion')])
    .select('instance.spec_version as specVersion')
    .distinct()
    .orderBy('sdkVersion')
    .orderBy('instance.app_name')
    .execute();
