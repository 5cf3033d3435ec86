import { Badge, Button, Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Response } from '../../api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { GuardedButton, GuardedIcon } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import table from '../../ui/table.module.css';
import { Since } from '../../ui/time.tsx';
import classes from '../admin.module.css';

export type ApiToken = Response<'GET /api/admin/api-tokens'>['tokens'][number];

export const tokenKinds = { client: 'backend', frontend: 'frontend', admin: 'admin' } as const;

const isWhole = ({ secret }: ApiToken) => !secret.endsWith('*****');
const isOver = ({ expiresAt }: ApiToken) => expiresAt !== null && new Date(expiresAt) < new Date();

/** Where what was done with a token stands: the log knows it by its number. */
export const logOf = ({ id }: ApiToken) => ({ q: `actor:-${id}` });

interface TableProps {
  readonly tokens: readonly ApiToken[];
  /** Why a token may not be revoked. */
  readonly refusalOf: (token: ApiToken) => string | undefined;
  readonly onShow: (token: ApiToken) => void;
  readonly onRevoke: (token: ApiToken) => void;
}

/** So many rows are drawn at first. */
const pageSize = 50;

/** API tokens, with what connects an application by one of them. */
export function TokenTable({ tokens, refusalOf, onShow, onRevoke }: TableProps) {
  const [most, setMost] = useState(pageSize);
  return (
    <>
      <div className={`card ${classes.frame}`}>
        <Table
          className={`${table.stacked} ${classes.cards}`}
          verticalSpacing={8}
          horizontalSpacing="md"
        >
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
                      {tokenKinds[token.type]}
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
                      <GuardedButton
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
                      </GuardedButton>
                    )}
                    <GuardedIcon
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

interface RevokeProps {
  readonly token: ApiToken;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
}

export const RevokeToken = ({ token, onClose, onConfirm }: RevokeProps) => (
  <Confirm
    title={`Revoke the token ${token.tokenName}?`}
    action="Revoke token"
    onClose={onClose}
    onConfirm={onConfirm}
  >
    <Text size="sm" component="div">
      {token.seenAt === null ? (
        'Nobody has used it yet. '
      ) : (
        <>
          It was last used <Since instant={token.seenAt} />.{' '}
        </>
      )}
      Whatever uses it is refused at once. This cannot be undone.
    </Text>
  </Confirm>
);
