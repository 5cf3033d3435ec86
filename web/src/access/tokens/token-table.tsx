import { Badge, Button, Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Response } from '../../api.ts';
import { useProjectName } from '../../project-name.tsx';
import { invalidate } from '../../queries.ts';
import { numberText } from '../../ui/format.ts';
import { GuardedIcon } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { Since } from '../../ui/time.tsx';
import classes from '../admin.module.css';
import { RevokeToken, TokenDates } from './token-use.tsx';

export type ApiToken = Response<'GET /api/admin/api-tokens'>['tokens'][number];

export const tokenTypeNames = {
  client: 'Backend',
  frontend: 'Frontend',
  admin: 'Admin',
} as const;

/** The activity of a token in the event log, which knows it by its ID. */
export const logOf = ({ id }: ApiToken) => ({ q: `actor:-${id}` });

interface TableProps {
  readonly tokens: readonly ApiToken[];
  /** Why a token may not be revoked. */
  readonly refusalOf: (token: ApiToken) => string | undefined;
  readonly onShow: (token: ApiToken) => void;
  readonly revoke: (token: ApiToken) => Promise<unknown>;
}

const reads = [
  'GET /api/admin/api-tokens',
  'GET /api/admin/projects/:projectId/api-tokens',
] as const;

/** So many rows are drawn at first. */
const pageSize = 50;

/** API tokens, each with its snippets and a button to revoke it. */
export function TokenTable({ tokens, refusalOf, onShow, revoke }: TableProps) {
  const nameOf = useProjectName();
  const [most, setMost] = useState(pageSize);
  const [revoking, setRevoking] = useState<number>();
  // Looked up again, because its last use may be newer by then.
  const revoked = tokens.find(({ id }) => id === revoking);
  return (
    <>
      <div className={`card ${classes.frame}`}>
        <Table className={classes.cards ?? ''} verticalSpacing={8} horizontalSpacing="md">
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
                      {tokenTypeNames[token.type]}
                    </Badge>
                    <TokenDates token={{ ...token, seenAt: undefined }} />
                  </Group>
                </Table.Td>
                <Table.Td data-label="Environment">
                  <Text size="sm">{token.environment === '*' ? 'All' : token.environment}</Text>
                </Table.Td>
                <Table.Td data-label="Projects">
                  <Text size="sm" className={classes.name} lineClamp={2}>
                    {token.projects.includes('*') ? 'All' : token.projects.map(nameOf).join(', ')}
                  </Text>
                </Table.Td>
                <Table.Td data-label="Last used">
                  <Text size="sm" className="quiet" component="span">
                    {token.seenAt === null ? 'Never' : <Since instant={token.seenAt} />}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Group gap={4} wrap="nowrap" justify="flex-end">
                    {token.type === 'admin' ? (
                      <PageLink to="/history" search={logOf(token)} size="sm" px={8}>
                        Activity
                      </PageLink>
                    ) : (
                      <Button size="compact-sm" variant="subtle" onClick={() => onShow(token)}>
                        Connect
                      </Button>
                    )}
                    <GuardedIcon
                      icon={IconTrash}
                      refusal={refusalOf(token)}
                      label={`Revoke ${token.tokenName}`}
                      onClick={() => {
                        setRevoking(token.id);
                        void invalidate(...reads);
                      }}
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
            Show {numberText(Math.min(pageSize, tokens.length - most))} more of{' '}
            {numberText(tokens.length)}
          </Button>
        </Group>
      )}
      {revoked && (
        <RevokeToken
          name={revoked.tokenName}
          seenAt={revoked.seenAt}
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await revoke(revoked);
            await invalidate(...reads);
          }}
        />
      )}
    </>
  );
}
