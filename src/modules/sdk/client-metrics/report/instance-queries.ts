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
          known: boolean;
          place: number;
        }>`(
          select told.*, stored.app_name is not null as known,
            row_number() over (partition by stored.app_name is null order by told.open) as place
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
          )}) as told(app text, environment text, instance text, sdk text, kind text, spec text, ip text, open boolean)
          left join application_instances stored on stored.app_name = told.app
            and stored.environment = told.environment and stored.instance_id = told.instance
          where stored.app_name is null or stored.seen_at < ${tx.now}::timestamptz - ${touchAfter}
            or (told.sdk is not null and told.sdk is distinct from stored.sdk_version)
        )`.as('told'),
      )
        .where(
          sql<boolean>`told.known
            or told.place + (select count(*) from application_instances)
              <= case when told.open then ${most.public} else ${most.all} end::int`,
        )
        .select([
          'told.app',
          'told.environment',
          'told.instance',
          'told.sdk',
          'told.kind',
          'told.spec',
          'told.ip',
          sql<Date>`${tx.now}::timestamptz`.as('created_at'),
          sql<Date>`${tx.now}::timestamptz`.as('seen_at'),
        ])
        .orderBy('told.app')
        .orderBy('told.environment')
        .orderBy('told.instance'),
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
