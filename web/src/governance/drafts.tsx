import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../me.ts';
import { read } from '../queries.ts';
import classes from '../shell/shell.module.css';
import { joinAnd } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';

/** The user's drafts, on every page, until they are sent to review. */
export function Drafts() {
  const { user } = useMe();
  const found = useQuery(
    read('GET /api/admin/search/change-requests', {
      query: { createdBy: `IS:${user.id}`, state: 'IS:open', limit: '50' },
    }),
  ).data?.changeRequests;
  const drafts = found?.filter(({ state }) => state === 'Draft') ?? [];
  return drafts.map(({ id, project, environment, features, segments }) => {
    const names = [...features, ...segments];
    return (
      <aside key={id} className={classes.drafts} aria-label={`Draft for ${environment}`}>
        <Text size="sm">
          Draft for {environment}
          {names.length > 0 && `: ${joinAnd(names, 3)}`}
        </Text>
        <PageLink
          to="/projects/$projectId/change-requests/$id"
          params={{ projectId: project, id: String(id) }}
          size="sm"
          fw={600}
        >
          Review draft
        </PageLink>
      </aside>
    );
  });
}
