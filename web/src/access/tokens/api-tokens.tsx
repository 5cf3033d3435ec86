import {
  Alert,
  Badge,
  Button,
  Group,
  SegmentedControl,
  Table,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Response } from '../../api.ts';
import { useMay, useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { RefusableButton, RefusableIcon } from '../../ui/refusable.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Since } from '../../ui/time.tsx';
import { matches } from '../account-words.ts';
import classes from '../admin.module.css';
import { changedSearch, type TokensSearch } from '../admin-search.ts';
import { Connect } from './connect.tsx';
import { CreateApiToken } from './create-api-token.tsx';

const route = getRouteApi('/shell/admin/api');

type Token = Response<'GET /api/admin/api-tokens'>['tokens'][number];

const kinds = { client: 'backend', frontend: 'frontend', admin: 'admin' } as const;

const isWhole = ({ secret }: Token) => !secret.endsWith('*****');
const isOver = ({ expiresAt }: Token) => expiresAt !== null && new Date(expiresAt) < new Date();

const actions = ['CLIENT', 'FRONTEND'];

/** Every token of the installation that the reader may know of. */
export function ApiTokens() {
  const navigate = route.useNavigate();
  const mayNotRead = useRefusal(actions.map((kind) => `READ_${kind}_API_TOKEN`));
  const mayNotCreate = useRefusal(actions.map((kind) => `CREATE_${kind}_API_TOKEN`));
  return (
    <Page
      title="API tokens"
      lead="With a token an application reads features, or a script changes them. Tokens of one project also stand in its settings."
      refusal={mayNotRead}
      action={
        <RefusableButton
          refusal={mayNotCreate}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ search: (before) => ({ ...before, create: true }) })}
        >
          New token
        </RefusableButton>
      }
    >
      <TokenList />
    </Page>
  );
}

/** Where what was done with a token stands: the log knows it by its number. */
const logOf = ({ id }: Token) => ({ q: `actor:-${id}` });

function TokenList() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tokens } = useSuspenseQuery(read('GET /api/admin/api-tokens', {})).data;
  const [shown, setShown] = useState<Token>();
  const [revoking, setRevoking] = useState<Token>();
  const [revoked, setRevoked] = useState<Token>();
  const change = (next: { [Name in keyof TokensSearch]?: TokensSearch[Name] | undefined }) =>
    void navigate({ search: changedSearch(search, next), replace: true });
  const found = tokens.filter(
    (token) =>
      (search.type === undefined || token.type === search.type) &&
      matches(
        `${token.tokenName} ${token.environment} ${token.projects.join(' ')} ${kinds[token.type]}`,
        search.query,
      ),
  );
  return (
    <>
      {revoked && (
        <Alert
          color="teal"
          title={`${revoked.tokenName} works no longer`}
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setRevoked(undefined)}
          role="status"
        >
          <Text size="sm" component="div">
            Was it leaked?{' '}
            <PageLink to="/history" search={logOf(revoked)} size="sm" underline="always">
              See what was changed with it
            </PageLink>
            .{' '}
            {revoked.type !== 'admin' &&
              'A token of an SDK changes nothing: whoever had it could read features of its environment.'}
          </Text>
        </Alert>
      )}
      <Group gap="sm" role="search" aria-label="API tokens">
        <SearchField
          label="Search tokens"
          placeholder="Search by name, project or environment"
          value={search.query ?? ''}
          onChange={(text) => change({ query: text || undefined })}
          flex={1}
          miw={200}
        />
        <SegmentedControl
          aria-label="Which tokens"
          value={search.type ?? 'all'}
          onChange={(value) =>
            change({
              type: value === 'all' ? undefined : (value as NonNullable<TokensSearch['type']>),
            })
          }
          data={[
            { value: 'all', label: `All ${tokens.length}` },
            { value: 'client', label: 'Backend' },
            { value: 'frontend', label: 'Frontend' },
            { value: 'admin', label: 'Admin' },
          ]}
        />
      </Group>
      {tokens.length === 0 ? (
        <EmptyState title="There are no tokens yet">
          Create one. You get it together with the lines that connect an application.
        </EmptyState>
      ) : found.length === 0 ? (
        <EmptyState title="No token matches" />
      ) : (
        <TokenTable tokens={found} onShow={setShown} onRevoke={setRevoking} />
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
      {revoking && (
        <Confirm
          title={`Revoke the token ${revoking.tokenName}?`}
          action="Revoke token"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await api('DELETE /api/admin/api-tokens/:secret', {
              params: { secret: String(revoking.id) },
            });
            await invalidate(
              'GET /api/admin/api-tokens',
              'GET /api/admin/projects/:projectId/api-tokens',
            );
            setRevoked(revoking);
          }}
        >
          <Text size="sm" component="div">
            {revoking.seenAt === null ? (
              'Nobody has used it yet. '
            ) : (
              <>
                It was last used <Since instant={revoking.seenAt} />.{' '}
              </>
            )}
            Whatever uses it is refused at once. This cannot be undone.
          </Text>
        </Confirm>
      )}
    </>
  );
}

interface TableProps {
  readonly tokens: readonly Token[];
  readonly onShow: (token: Token) => void;
  readonly onRevoke: (token: Token) => void;
}

/** So many rows are drawn at first. */
const pageSize = 50;

function TokenTable({ tokens, onShow, onRevoke }: TableProps) {
  const may = useMay();
  const [most, setMost] = useState(pageSize);
  const refusalOf = ({ type }: Token) => {
    const permission = type === 'admin' ? 'ADMIN' : `DELETE_${type.toUpperCase()}_API_TOKEN`;
    return may(permission) ? undefined : `You need the permission ${permission}.`;
  };
  return (
    <>
      <div className={`card ${classes.frame}`}>
        <Table className={classes.cards} verticalSpacing={8} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Environment</Table.Th>
              <Table.Th>Projects</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tokens.slice(0, most).map((token) => (
              <Table.Tr key={token.id} className={classes.row}>
                <Table.Td>
                  <Text size="sm" fw={600} className={classes.name}>
                    {token.tokenName}
                  </Text>
                  <Group gap={6}>
                    <Badge
                      size="xs"
                      tt="none"
                      variant="light"
                      color={token.type === 'admin' ? 'orange' : 'gray'}
                    >
                      {kinds[token.type]}
                    </Badge>
                    <Text size="xs" className="quiet" component="span">
                      created <Since instant={token.createdAt} />
                      {token.expiresAt !== null && (
                        <>
                          {' '}
                          · {isOver(token) ? 'expired ' : 'expires '}
                          <Since instant={token.expiresAt} />
                        </>
                      )}
                    </Text>
                  </Group>
                </Table.Td>
                <Table.Td>
                  <Text size="sm">{token.environment === '*' ? 'all' : token.environment}</Text>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" className={classes.name} lineClamp={2}>
                    {token.projects.includes('*') ? 'all' : token.projects.join(', ')}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" className="quiet" component="span">
                    {token.seenAt === null ? 'never used' : <Since instant={token.seenAt} />}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Group gap={4} wrap="nowrap" justify="flex-end">
                    {token.type === 'admin' ? (
                      <PageLink to="/history" search={logOf(token)} size="sm" px={8}>
                        What it did
                      </PageLink>
                    ) : (
                      <RefusableButton
                        refusal={
                          isWhole(token)
                            ? undefined
                            : 'Only who may create such tokens sees the secret again, where the installation has a key to keep it.'
                        }
                        size="compact-sm"
                        variant="subtle"
                        onClick={() => onShow(token)}
                      >
                        Connect
                      </RefusableButton>
                    )}
                    <RefusableIcon
                      icon={IconTrash}
                      refusal={refusalOf(token)}
                      label={`Revoke ${token.tokenName}`}
                      onClick={() => onRevoke(token)}
                    />
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {tokens.length > most && (
        <Group justify="center">
          <Button variant="default" onClick={() => setMost(most + pageSize)}>
            Show {Math.min(pageSize, tokens.length - most)} more of {tokens.length}
          </Button>
        </Group>
      )}
    </>
  );
}
