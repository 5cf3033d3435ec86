import { Badge, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Connect } from '../../../access/tokens/connect.tsx';
import { api, type Response } from '../../../api.ts';
import { useRefusal } from '../../../me.ts';
import { invalidate, read } from '../../../queries.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { tellDone } from '../../../ui/notices.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { RefusableButton, RefusableIcon } from '../../../ui/refusable.tsx';
import { Since } from '../../../ui/time.tsx';
import { Waiting } from '../../../ui/waiting.tsx';
import classes from '../projects.module.css';
import { CreateToken } from './create-token.tsx';
import { SettingsHead } from './settings-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/api-access');

type Token = Response<'GET /api/admin/projects/:projectId/api-tokens'>['tokens'][number];

const isWhole = ({ secret }: Token) => !secret.endsWith('*****');
const isOver = ({ expiresAt }: Token) => expiresAt !== null && new Date(expiresAt) < new Date();

/** The tokens by which applications read the features of a project. */
export function ProjectTokens() {
  const { projectId } = route.useParams();
  const mayNotRead = useRefusal('READ_PROJECT_API_TOKEN', { project: projectId });
  const mayNotCreate = useRefusal('CREATE_PROJECT_API_TOKEN', { project: projectId });
  const tokens = useQuery({
    ...read('GET /api/admin/projects/:projectId/api-tokens', { params: { projectId } }),
    enabled: mayNotRead === undefined,
  });
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<Token>();
  const [deleted, setDeleted] = useState<Token>();

  return (
    <Stack>
      <SettingsHead
        title="API tokens"
        action={
          <RefusableButton
            refusal={mayNotCreate}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            New token
          </RefusableButton>
        }
      >
        An application reads the features of one environment with a token. Backend tokens are
        secret; frontend tokens may be seen in a browser.
      </SettingsHead>
      {mayNotRead !== undefined ? (
        <EmptyState title="You may not see the tokens of this project">{mayNotRead}</EmptyState>
      ) : tokens.isPending ? (
        <Waiting />
      ) : tokens.isError ? (
        <Problem error={tokens.error} />
      ) : tokens.data.tokens.length === 0 ? (
        <EmptyState title="No application is connected yet">
          Create a token. You get it together with the lines that connect an application.
        </EmptyState>
      ) : (
        <TokenTable
          tokens={tokens.data.tokens}
          projectId={projectId}
          onShow={setShown}
          onDelete={setDeleted}
        />
      )}
      {isCreating && (
        <CreateToken
          projectId={projectId}
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false);
            setShown(token);
          }}
        />
      )}
      {shown && <Connect token={shown} onClose={() => setShown(undefined)} />}
      {deleted && (
        <Confirm
          title={`Delete the token ${deleted.tokenName}?`}
          action="Delete token"
          onClose={() => setDeleted(undefined)}
          onConfirm={async () => {
            await api('DELETE /api/admin/projects/:projectId/api-tokens/:secret', {
              params: { projectId, secret: String(deleted.id) },
            });
            await invalidate('GET /api/admin/projects/:projectId/api-tokens');
            tellDone({
              id: `token ${deleted.id}`,
              title: `The token ${deleted.tokenName} works no longer`,
            });
          }}
        >
          <Text size="sm" component="div">
            {deleted.seenAt === null ? (
              'Nobody has used it yet. '
            ) : (
              <>
                It was last used <Since instant={deleted.seenAt} />.{' '}
              </>
            )}
            Applications that use it get no changes any more, and a new start of them gets no
            features. This takes effect at once and cannot be undone.
          </Text>
        </Confirm>
      )}
    </Stack>
  );
}

interface TableProps {
  readonly tokens: readonly Token[];
  readonly projectId: string;
  readonly onShow: (token: Token) => void;
  readonly onDelete: (token: Token) => void;
}

function TokenTable({ tokens, projectId, onShow, onDelete }: TableProps) {
  const mayNotDelete = useRefusal('DELETE_PROJECT_API_TOKEN', { project: projectId });
  return (
    <div className={`card ${classes.scrolling}`}>
      <Table verticalSpacing={8} horizontalSpacing="md" className={classes.tokens}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Environment</Table.Th>
            <Table.Th visibleFrom="md">Created</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td>
                <Text size="sm" fw={600} className={classes.archivedName}>
                  {token.tokenName}
                </Text>
                <Group gap={6}>
                  <Text size="xs" className="quiet">
                    {token.type === 'client' ? 'backend' : token.type}
                  </Text>
                  {token.expiresAt !== null && (
                    <Badge
                      size="xs"
                      tt="none"
                      variant="light"
                      color={isOver(token) ? 'red' : 'gray'}
                    >
                      {isOver(token) ? 'expired ' : 'expires '}
                      <Since instant={token.expiresAt} />
                    </Badge>
                  )}
                  {token.projects.length > 1 && (
                    <Badge size="xs" tt="none" variant="outline" color="gray">
                      {token.projects.length} projects
                    </Badge>
                  )}
                </Group>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{token.environment}</Text>
              </Table.Td>
              <Table.Td visibleFrom="md">
                <Text size="sm" className="quiet" component="span">
                  <Since instant={token.createdAt} />
                </Text>
              </Table.Td>
              <Table.Td>
                <Text size="sm" className="quiet" component="span">
                  {token.seenAt === null ? 'never' : <Since instant={token.seenAt} />}
                </Text>
              </Table.Td>
              <Table.Td>
                <Group gap={4} wrap="nowrap" justify="flex-end">
                  <RefusableButton
                    refusal={
                      isWhole(token)
                        ? undefined
                        : 'The secret was shown when the token was created. Only who may create tokens sees it again, where the installation keeps it.'
                    }
                    size="compact-sm"
                    variant="subtle"
                    onClick={() => onShow(token)}
                  >
                    Connect
                  </RefusableButton>
                  <RefusableIcon
                    icon={IconTrash}
                    refusal={
                      mayNotDelete ??
                      (token.projects.length > 1 || token.projects[0] === '*'
                        ? 'It covers other projects too. An administrator can delete it.'
                        : undefined)
                    }
                    label={`Delete ${token.tokenName}`}
                    onClick={() => onDelete(token)}
                  />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
