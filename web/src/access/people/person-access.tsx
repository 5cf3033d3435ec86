import { Group, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Person } from '../../ui/person.tsx';
import { Since } from '../../ui/time.tsx';
import { nameOfAccount, noteOfAccount } from '../account-words.ts';
import { ExplainedPermissions } from './explained.tsx';

const route = getRouteApi('/shell/admin/users/$userId');

/** The roles and permissions of a user or service account. */
export function PersonAccess() {
  const refusal = useRefusal('ADMIN');
  if (refusal !== undefined) {
    return (
      <Page title="Effective permissions" refusal={refusal}>
        {null}
      </Page>
    );
  }
  return <Found />;
}

function Found() {
  const { userId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const explained = useSuspenseQuery(
    read('GET /api/admin/access/accounts/:id', { params: { id: userId } }),
  ).data;
  const { user } = explained;
  const name = nameOfAccount(user);
  const isServiceAccount = user.accountType === 'Service Account';
  return (
    <Stack gap="xs">
      <PageLink to={isServiceAccount ? '/admin/service-accounts' : '/admin/users'} size="sm">
        {isServiceAccount ? 'Service accounts' : 'Users'}
      </PageLink>
      <Page
        title={name}
        lead={
          <Group gap="sm" mt={4}>
            <Person name={name} imageUrl={user.imageUrl} size={24} />
            <span>{isServiceAccount ? 'Service account' : noteOfAccount(user)}</span>
            <span>
              {user.seenAt === undefined ? (
                isServiceAccount ? (
                  'Never used'
                ) : (
                  'Never active'
                )
              ) : (
                <>
                  {isServiceAccount ? 'Last used' : 'Last active'} <Since instant={user.seenAt} />
                </>
              )}
            </span>
            <PageLink to="/history" search={{ q: `actor:${user.id}` }} size="sm" underline="always">
              Activity
            </PageLink>
          </Group>
        }
      >
        <ExplainedPermissions
          explained={explained}
          search={search}
          onSearch={(next) => void navigate({ search: next, replace: true })}
        />
      </Page>
    </Stack>
  );
}
