import { Alert, Code, Modal, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Response } from '../../api.ts';
import { read } from '../../queries.ts';
import classes from '../admin.module.css';
import { Copy, Copyable } from '../copyable.tsx';
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
        <Tabs defaultValue={snippets[0]?.language ?? null} keepMounted={false}>
          <Tabs.List aria-label="Language">
            {snippets.map(({ language }) => (
              <Tabs.Tab key={language} value={language}>
                {language}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {snippets.map(({ language, install, code }) => (
            <Tabs.Panel key={language} value={language} pt="sm">
              {install !== undefined && (
                <Code block mb="xs" tabIndex={0}>
                  {install}
                </Code>
              )}
              <div className={classes.snippet}>
                <Code block tabIndex={0}>
                  {code}
                </Code>
                <Copy text={code} label={`Copy the lines for ${language}`} />
              </div>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </Modal>
  );
}
