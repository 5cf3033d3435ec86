import { Button, Group } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { read } from '../queries.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Section } from './section.tsx';
import { CreatePersonalToken } from './tokens/create-personal-token.tsx';
import { PersonalTokens } from './tokens/personal-tokens.tsx';

const ownTokensQuery = read('GET /api/admin/user/tokens', {});

const reads = ['GET /api/admin/user/tokens'] as const;

/** The user's own tokens. */
export function OwnTokens() {
  const { pats } = useSuspenseQuery(ownTokensQuery).data;
  const [isCreating, setCreating] = useState(false);
  const title = 'Personal access tokens';
  const add = <Button onClick={() => setCreating(true)}>New token</Button>;
  return (
    <Section
      title={title}
      lead="Call the API from scripts with your own permissions. To connect an SDK, use a project's API token."
    >
      {pats.length === 0 ? (
        <EmptyState title="No personal access tokens yet" action={add}>
          Create one to call the API from a script or curl.
        </EmptyState>
      ) : (
        <>
          <PersonalTokens
            label={title}
            tokens={pats}
            reads={reads}
            revoke={({ id }) =>
              api('DELETE /api/admin/user/tokens/:id', { params: { id: String(id) } })
            }
          />
          <Group>{add}</Group>
        </>
      )}
      {isCreating && (
        <CreatePersonalToken
          title="New personal access token"
          placeholder="Release script"
          usualDays="30"
          note="This token has all of your permissions."
          send={(body) => api('POST /api/admin/user/tokens', { body })}
          refreshes={reads}
          onClose={() => setCreating(false)}
        />
      )}
    </Section>
  );
}
