import { Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Connect } from '../../../access/tokens/connect.tsx';
import { CreateApiToken } from '../../../access/tokens/create-api-token.tsx';
import { type ApiToken, TokenTable } from '../../../access/tokens/token-table.tsx';
import { api } from '../../../api.ts';
import { useRefusal } from '../../../me.ts';
import { read } from '../../../queries.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { GuardedButton } from '../../../ui/guarded.tsx';
import { tellDone } from '../../../ui/notices.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Waiting } from '../../../ui/waiting.tsx';
import { WithCode } from '../../../ui/with-code.tsx';
import { SettingsHead } from './settings-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/api-access');

/** The API tokens of a project. */
export function ProjectTokens() {
  const { projectId } = route.useParams();
  const mayNotRead = useRefusal('READ_PROJECT_API_TOKEN', { project: projectId });
  const mayNotDelete = useRefusal('DELETE_PROJECT_API_TOKEN', { project: projectId });
  const mayNotCreate = useRefusal('CREATE_PROJECT_API_TOKEN', { project: projectId });
  const tokens = useQuery({
    ...read('GET /api/admin/projects/:projectId/api-tokens', { params: { projectId } }),
    enabled: mayNotRead === undefined,
  });
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<ApiToken>();

  return (
    <Stack>
      <SettingsHead
        title="API tokens"
        action={
          <GuardedButton
            refusal={mayNotCreate}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            New API token
          </GuardedButton>
        }
      >
        SDKs use a token to get features of one environment. Keep backend tokens secret; frontend
        tokens are safe to expose.
      </SettingsHead>
      {mayNotRead !== undefined ? (
        <EmptyState title="You can't view this project's API tokens">
          <WithCode text={mayNotRead} />
        </EmptyState>
      ) : tokens.isPending ? (
        <Waiting />
      ) : tokens.isError ? (
        <Problem error={tokens.error} />
      ) : tokens.data.tokens.length === 0 ? (
        <EmptyState title="No API tokens yet">
          Create one to connect an application. You'll get the secret and a ready-to-paste snippet.
        </EmptyState>
      ) : (
        <TokenTable
          tokens={tokens.data.tokens}
          refusalOf={({ projects }) =>
            mayNotDelete ??
            (projects.length > 1 || projects[0] === '*'
              ? 'Also used by other projects. Only an admin can revoke it.'
              : undefined)
          }
          onShow={setShown}
          revoke={async (token) => {
            await api('DELETE /api/admin/projects/:projectId/api-tokens/:secret', {
              params: { projectId, secret: String(token.id) },
            });
            tellDone({ id: `token ${token.id}`, title: `Token ${token.tokenName} revoked` });
          }}
        />
      )}
      {isCreating && (
        <CreateApiToken
          projectId={projectId}
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false);
            setShown(token);
          }}
        />
      )}
      {shown && <Connect token={shown} onClose={() => setShown(undefined)} />}
    </Stack>
  );
}
