import { Alert, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Response } from '../../api.ts';
import { read } from '../../queries.ts';
import { Copyable, Snippets } from '../../ui/copyable.tsx';
import { instanceUrl } from './instance-url.ts';
import {
  secretHidden,
  secretPlaceholder,
  secretShownOnce,
  snippetsFor,
  visibleSecret,
} from './snippets/snippets.ts';

interface Props {
  readonly token: Response<'GET /api/admin/api-tokens'>['tokens'][number];
  readonly onClose: () => void;
}

/** How to connect an application: the token's secret, if it can be shown, and snippets. */
export function Connect({ token, onClose }: Props) {
  const [project = '*'] = token.projects;
  const secret = visibleSecret(token.secret);
  const first = useQuery(
    read('GET /api/admin/search/features', {
      query: { limit: '1', ...(project !== '*' && { project: `IS:${project}` }) },
    }),
  ).data?.features[0]?.name;
  const snippets = snippetsFor(token.type, {
    url: instanceUrl(),
    secret: secret ?? secretPlaceholder,
    feature: first ?? 'my-feature',
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Connect using ${token.tokenName}`}
      transitionProps={{ duration: 100 }}
    >
      <Stack>
        {token.type === 'admin' && (
          <Alert color="yellow" role="status">
            {secretShownOnce} Anyone who has it has full access.
          </Alert>
        )}
        {secret === undefined ? (
          <Text size="sm">{secretHidden}</Text>
        ) : (
          <div>
            <Text size="sm" fw={500} mb={4}>
              {token.type === 'admin' ? 'Secret' : `Secret for ${token.environment}`}
            </Text>
            <Copyable text={secret} label="Copy secret" testId="secret" />
          </div>
        )}
        <Snippets snippets={snippets} />
      </Stack>
    </Modal>
  );
}
