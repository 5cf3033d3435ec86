import { Button, Group, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Response } from '../api.ts';
import { invalidate, read } from '../queries.ts';
import { Confirm } from '../ui/confirm.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { tellDone } from '../ui/notices.tsx';
import { Since } from '../ui/time.tsx';
import classes from './access.module.css';
import { Section } from './section.tsx';
import { CreatePersonalToken } from './tokens/create-personal-token.tsx';

const ownTokensQuery = read('GET /api/admin/user/tokens', {});

type Token = Response<'GET /api/admin/user/tokens'>['pats'][number];

const reads = ['GET /api/admin/user/tokens'] as const;

function Expiry({ token }: { readonly token: Token }) {
  if (token.expiresAt === null) return <>never expires</>;
  const isOver = new Date(token.expiresAt) <= new Date();
  return (
    <>
      {isOver ? 'expired' : 'expires'} <Since instant={token.expiresAt} />
    </>
  );
}

/** Tokens that act as the person who made them. */
export function OwnTokens() {
  const { pats } = useSuspenseQuery(ownTokensQuery).data;
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const add = <Button onClick={() => setCreating(true)}>New token</Button>;
  return (
    <Section
      title="Personal tokens"
      lead="For scripts that act as you, with your permissions. SDKs use the tokens of a project."
    >
      {pats.length === 0 ? (
        <EmptyState title="You have no token" action={add}>
          A token calls the API as you, from a script or with curl.
        </EmptyState>
      ) : (
        <>
          <ul className={classes.rows} aria-label="Personal tokens">
            {pats.map((token) => (
              <li key={token.id}>
                <div>
                  <Text fw={600}>{token.description}</Text>
                  <Text size="sm" className="quiet" component="div">
                    created <Since instant={token.createdAt} /> ·{' '}
                    {token.seenAt === null ? (
                      'never used'
                    ) : (
                      <>
                        last used <Since instant={token.seenAt} />
                      </>
                    )}{' '}
                    · <Expiry token={token} />
                  </Text>
                </div>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Revoke ${token.description}`}
                  onClick={() => setRevoking(token)}
                >
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
          <Group>{add}</Group>
        </>
      )}
      {isCreating && (
        <CreatePersonalToken
          title="New token"
          placeholder="Release script"
          usualTerm="30"
          note="It has all your permissions."
          send={(body) => api('POST /api/admin/user/tokens', { body })}
          refreshes={reads}
          onClose={() => setCreating(false)}
        />
      )}
      {revoking && (
        <Confirm
          title="Revoke this token?"
          action="Revoke"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await api('DELETE /api/admin/user/tokens/:id', { params: { id: String(revoking.id) } });
            await invalidate(...reads);
            tellDone({
              id: `token ${revoking.id}`,
              title: `Token ${revoking.description} revoked`,
            });
          }}
        >
          <Text size="sm">
            Whatever uses <b>{revoking.description}</b> is refused from now on. This cannot be
            undone.
          </Text>
        </Confirm>
      )}
    </Section>
  );
}
