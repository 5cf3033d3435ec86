import { Alert, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Response } from '../../api.ts';
import { read } from '../../queries.ts';
import { Copyable, Snippets } from '../../ui/copyable.tsx';
import { snippetsFor } from './snippets.ts';

interface Props {
  readonly token: Response<'GET /api/admin/api-tokens'>['tokens'][number];
  readonly onClose: () => void;
}

/** The secret of a token, and the lines that connect an application with it. */
export function Connect({ token, onClose }: Props) {
  const [project = '*'] = token.projects;
  const config = useQuery(read('GET /api/admin/ui-config', {})).data;
  const first = useQuery(
    read('GET /api/admin/search/features', {
      query: { limit: '1', ...(project !== '*' && { project: `IS:${project}` }) },
    }),
  ).data?.features[0]?.name;
  const url = (config?.unleashUrl ?? '').replace(/\/$/, '');
  const snippets = snippetsFor(token.type, {
    url,
    secret: token.secret,
    feature: first ?? 'my-feature',
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Connect with ${token.tokenName}`}
      transitionProps={{ duration: 100 }}
    >
      <Stack>
        {token.type === 'admin' && (
          <Alert color="yellow" role="status">
            Copy it now. The secret of an admin token is shown only this once, and whoever has it
            may do everything.
          </Alert>
        )}
        <div>
          <Text size="sm" fw={500} mb={4}>
            {token.type === 'admin' ? 'Secret' : `Secret for ${token.environment}`}
          </Text>
          <Copyable text={token.secret} label="Copy the secret" testId="secret" />
        </div>
        <Snippets snippets={snippets} />
      </Stack>
    </Modal>
  );
}
