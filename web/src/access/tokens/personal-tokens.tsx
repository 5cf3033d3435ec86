import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Response } from '../../api.ts';
import { invalidate, type Read } from '../../queries.ts';
import { tellDone } from '../../ui/notices.tsx';
import classes from '../access.module.css';
import { RevokeToken, TokenDates } from './token-use.tsx';

type Token = Response<'GET /api/admin/user/tokens'>['pats'][number];

interface Props {
  /** What the list is called for screen readers. */
  readonly label: string;
  readonly tokens: readonly Token[];
  readonly revoke: (token: Token) => Promise<unknown>;
  /** What shows the tokens. */
  readonly reads: readonly Read[];
}

/** The tokens of an account: the user's own, or those of a service account. */
export function PersonalTokens({ label, tokens, revoke, reads }: Props) {
  const [revoking, setRevoking] = useState<number>();
  // Looked up again, because its last use may be newer by then.
  const revoked = tokens.find(({ id }) => id === revoking);
  return (
    <>
      <ul className={classes.rows} aria-label={label}>
        {tokens.map((token) => (
          <li key={token.id}>
            <div>
              <Text size="sm" fw={600}>
                {token.description}
              </Text>
              <TokenDates token={token} />
            </div>
            <Button
              size="xs"
              variant="default"
              aria-label={`Revoke ${token.description}`}
              onClick={() => {
                setRevoking(token.id);
                void invalidate(...reads);
              }}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoked && (
        <RevokeToken
          name={revoked.description}
          seenAt={revoked.seenAt}
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await revoke(revoked);
            await invalidate(...reads);
            tellDone({ id: `token ${revoked.id}`, title: `Token ${revoked.description} revoked` });
          }}
        />
      )}
    </>
  );
}
