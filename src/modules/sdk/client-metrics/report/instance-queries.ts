import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';
import type { RowLimits } from './application-queries.ts';
import { touchAfter } from './application-queries.ts';
import type { InstanceReport } from './buffer.ts';

/** Inserts new instances only within the limits. Rows of existing ones are updated from time to time. */
export const upsertInstances = (tx: Tx, instances: readonly InstanceReport[], most: RowLimits) =>
  tx.db
    .insertInto('application_instances')
    .columns([
      'app_name',
      'environment',
      'instance_id',
      'sdk_version',
      'sdk_type',
      'spec_version',
      'client_ip',
      'created_at',
      'seen_at',
    ])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{
          app: string;
          environment: string;
          instance: string;
          sdk: string | null;
          kind: string | null;
          spec: string | null;
          ip: string | null;
          open: boolean;
          isStored: boolean;
          rank: number;
        }>`(
          select reported.*, stored.app_name is not null as "isStored",
            row_number() over (partition by stored.app_name is null order by reported.open) as rank
          from json_to_recordset(${JSON.stringify(
            instances.map(
              ({ scope, appName, instanceId, sdkVersion, sdkType, specVersion, ip, isPublic }) => ({
                app: appName,
                environment: scope.environment,
                instance: instanceId,
                sdk: sdkVersion,
                kind: sdkType,
                spec: specVersion,
                ip,
                open: isPublic,
              }),
            ),
          )}) as reported(app text, environment text, instance text, sdk text, kind text, spec text, ip text, open boolean)
          left join application_instances stored on stored.app_name = reported.app
            and stored.environment = reported.environment and stored.instance_id = reported.instance
          where stored.app_name is null or stored.seen_at < ${tx.now}::timestamptz - ${touchAfter}
            or (reported.sdk is not null and reported.sdk is distinct from stored.sdk_version)
        )`.as('reported'),
      )
        .where(
          sql<boolean>`reported."isStored"
            or reported.rank + (select count(*) from application_instances)
              <= case when reported.open then ${most.public} else ${most.all} end::int`,
        )
        .select([
          'reported.app',
          'reported.environment',
          'reported.instance',
          'reported.sdk',
          'reported.kind',
          'reported.spec',
          'reported.ip',
          sql<Date>`${tx.now}::timestamptz`.as('created_at'),
          sql<Date>`${tx.now}::timestamptz`.as('seen_at'),
        ])
        .orderBy('reported.app')
        .orderBy('reported.environment')
        .orderBy('reported.instance'),
    )
    .onConflict((conflict) =>
      conflict.columns(['app_name', 'environment', 'instance_id']).doUpdateSet({
        seen_at: sql<Date>`greatest(application_instances.seen_at, excluded.seen_at)`,
        sdk_version: sql`coalesce(excluded.sdk_version, application_instances.sdk_version)`,
        sdk_type: sql`coalesce(excluded.sdk_type, application_instances.sdk_type)`,
        spec_version: sql`coalesce(excluded.spec_version, application_instances.spec_version)`,
        client_ip: sql`coalesce(excluded.client_ip, application_instances.client_ip)`,
      }),
    )
    .execute();
