import { Alert, Group, SegmentedControl, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useMay, useRefusal } from '../../me.ts';
import { useProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { requirement } from '../../requirement.ts';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { numberText } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { matches } from '../account-words.ts';
import { changedSearch, type TokensSearch } from '../admin-search.ts';
import { Connect } from './connect.tsx';
import { CreateApiToken } from './create-api-token.tsx';
import { type ApiToken, logOf, TokenTable, tokenTypeNames } from './token-table.tsx';

const route = getRouteApi('/shell/admin/api');

const actions = ['CLIENT', 'FRONTEND'];

/** Every API token that the user may see. */
export function ApiTokens() {
  const navigate = route.useNavigate();
  const mayNotRead = useRefusal(actions.map((kind) => `READ_${kind}_API_TOKEN`));
  const mayNotCreate = useRefusal(actions.map((kind) => `CREATE_${kind}_API_TOKEN`));
  return (
    <Page
      title="API tokens"
      lead="Connect SDKs and scripts to Burgee. A project's tokens are also listed in its settings."
      refusal={mayNotRead}
      action={
        <GuardedButton
          refusal={mayNotCreate}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ search: (before) => ({ ...before, create: true }) })}
        >
          New API token
        </GuardedButton>
      }
    >
      <TokenList />
    </Page>
  );
}

function TokenList() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tokens } = useSuspenseQuery(read('GET /api/admin/api-tokens', {})).data;
  const may = useMay();
  const nameOf = useProjectName();
  const refusalOf = ({ type }: ApiToken) => {
    const permission = type === 'admin' ? 'ADMIN' : `DELETE_${type.toUpperCase()}_API_TOKEN`;
    return may(permission) ? undefined : requirement([permission]);
  };
  const [shown, setShown] = useState<ApiToken>();
  const [revoked, setRevoked] = useState<ApiToken>();
  const change = (next: { [Name in keyof TokensSearch]?: TokensSearch[Name] | undefined }) =>
    void navigate({ search: changedSearch(search, next), replace: true });
  const found = tokens.filter(
    (token) =>
      (search.type === undefined || token.type === search.type) &&
      matches(
        `${token.tokenName} ${token.environment} ${token.projects.flatMap((id) => [id, nameOf(id)]).join(' ')} ${tokenTypeNames[token.type]}`,
        search.query,
      ),
  );
  return (
    <>
      {revoked && (
        <Alert
          color="teal"
          title={`Token ${revoked.tokenName} revoked`}
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setRevoked(undefined)}
          role="status"
        >
          <Text size="sm" component="div">
            Was this token leaked?{' '}
            {revoked.type === 'frontend' ? (
              'Frontend tokens are safe to expose: they can only evaluate features.'
            ) : revoked.type === 'admin' ? (
              <PageLink to="/history" search={logOf(revoked)} size="sm" underline="always">
                Review its activity
              </PageLink>
            ) : (
              "Backend tokens can't make changes. Anyone who had it could read the features of its environment."
            )}
          </Text>
        </Alert>
      )}
      <Group gap="sm" role="search" aria-label="API tokens">
        <SearchField
          label="Search tokens"
          placeholder="Search by name, project, or environment"
          value={search.query ?? ''}
          onChange={(text) => change({ query: text || undefined })}
          flex={1}
          miw={200}
        />
        <SegmentedControl
          aria-label="Token type"
          value={search.type ?? 'all'}
          onChange={(value) =>
            change({
              type: value === 'all' ? undefined : (value as NonNullable<TokensSearch['type']>),
            })
          }
          data={[
            { value: 'all', label: `All ${numberText(tokens.length)}` },
            { value: 'client', label: 'Backend' },
            { value: 'frontend', label: 'Frontend' },
            { value: 'admin', label: 'Admin' },
          ]}
        />
      </Group>
      {tokens.length === 0 ? (
        <EmptyState title="No API tokens yet">
          Create one to connect an application. You'll get the secret and a ready-to-paste snippet.
        </EmptyState>
      ) : found.length === 0 ? (
        <NoMatch
          what="tokens"
          {...(search.query !== undefined && search.type === undefined && { query: search.query })}
          onClear={() => change({ query: undefined, type: undefined })}
        />
      ) : (
        <TokenTable
          tokens={found}
          refusalOf={refusalOf}
          onShow={setShown}
          revoke={async (token) => {
            await api('DELETE /api/admin/api-tokens/:secret', {
              params: { secret: String(token.id) },
            });
            setRevoked(token);
          }}
        />
      )}
      {search.create && (
        <CreateApiToken
          onClose={() => change({ create: undefined })}
          onCreated={(token) => {
            change({ create: undefined });
            setShown(token);
          }}
        />
      )}
      {shown && <Connect token={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
