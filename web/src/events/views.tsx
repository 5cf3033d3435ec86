import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../catalogue/saved-views/view-query.ts';
import { type BuiltInView, ViewsMenu } from '../catalogue/saved-views/views-menu.tsx';
import { read } from '../queries.ts';
import { written } from './query/grammar.ts';

const accessTypes =
  'project-access-*,project-user-*,project-group-*,role-*,group-*,user-*,api-token-*,pat-*,service-account-*';

/** The default views. Production means all environments of this type. */
function useReadyViews(): readonly BuiltInView[] {
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const production = environments
    .filter(({ type }) => type === 'production')
    .map(({ name }) => written(name))
    .join(',');
  const views = [
    ...(production === ''
      ? []
      : [
          { name: 'Production, last 7 days', q: `env:${production} after:7d` },
          {
            name: 'Disabled in production',
            q: `type:feature-environment-disabled env:${production}`,
          },
        ]),
    { name: 'Access changes', q: `type:${accessTypes}` },
    { name: 'My activity', q: 'actor:me' },
    { name: 'Integrations and settings', q: 'type:addon-config-*,setting-*' },
  ];
  return views.map(({ name, q }) => ({ name, query: queryOf({ q }) }));
}

interface Props {
  readonly q: string;
  readonly viewId: number | undefined;
  readonly project: string | undefined;
  readonly onOpen: (q: string, view: number | undefined) => void;
}

/** The views of an event log: what is saved is its query. */
export const LogViews = ({ q, viewId, project, onOpen }: Props) => (
  <ViewsMenu
    page="events"
    project={project}
    query={q === '' ? '' : queryOf({ q })}
    viewId={viewId}
    builtIn={useReadyViews()}
    onOpen={(query, id) => onOpen(new URLSearchParams(query).get('q') ?? '', id)}
    size="xs"
  />
);
