import {
  Alert,
  Button,
  Code,
  CopyButton,
  Group,
  Modal,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Response } from '../api.ts';
import { invalidate, read } from '../queries.ts';
import { wordsOf } from '../sign-in/words.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { tellProblem } from '../ui/notices.tsx';
import { Since } from '../ui/time.tsx';
import classes from './access.module.css';
import { Section } from './section.tsx';

const ownTokensQuery = read('GET /api/admin/user/tokens', {});

type Token = Response<'GET /api/admin/user/tokens'>['pats'][number];

const lives = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'never', label: 'Until it is revoked' },
];

const dayMs = 86_400_000;
const refresh = () => invalidate('GET /api/admin/user/tokens');

function CreateToken({ onClose }: { readonly onClose: () => void }) {
  const [description, setDescription] = useState('');
  const [life, setLife] = useState('30');
  const create = useMutation({
    mutationFn: () =>
      api('POST /api/admin/user/tokens', {
        body: {
          description,
          expiresAt:
            life === 'never' ? null : new Date(Date.now() + Number(life) * dayMs).toISOString(),
        },
      }),
    onSettled: refresh,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };

  if (create.data) {
    const { secret } = create.data;
    const curl = `curl -H 'Authorization: ${secret}' ${new URL('api/admin/projects', document.baseURI).href}`;
    return (
      <Stack>
        <Alert color="yellow" role="status">
          Copy the token now. It is shown only this once.
        </Alert>
        <Group gap="xs" wrap="nowrap">
          <Code block flex={1} style={{ overflowX: 'auto' }} tabIndex={0} aria-label="Token">
            {secret}
          </Code>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button onClick={copy} data-autofocus>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
        <Text size="sm">It has all your permissions. To try it:</Text>
        <Code block style={{ overflowX: 'auto' }} tabIndex={0} aria-label="Command to try it">
          {curl}
        </Code>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="What it is for"
          placeholder="Release script"
          maxLength={255}
          data-autofocus
          value={description}
          error={create.error === null ? undefined : wordsOf(create.error)}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <Select
          label="Valid for"
          data={lives}
          value={life}
          allowDeselect={false}
          onChange={(value) => setLife(value ?? '30')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={description.trim() === ''} loading={create.isPending}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

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
  const revoke = useMutation({
    mutationFn: ({ id }: Token) =>
      api('DELETE /api/admin/user/tokens/:id', { params: { id: String(id) } }),
    onSuccess: (_, { description }) =>
      notifications.show({ title: `The token ${description} is revoked`, message: '' }),
    onError: (error) => tellProblem('Nothing was revoked', error),
    onSettled: () => {
      setRevoking(undefined);
      return refresh();
    },
  });
  const add = <Button onClick={() => setCreating(true)}>New token</Button>;
  return (
    <Section
      title="Personal tokens"
      lead="For scripts that act as you, with your permissions. SDKs use the tokens of a project."
    >
      {pats.length === 0 ? (
        <EmptyState title="You have no token">
          <Stack gap="sm" align="center">
            A token calls the API as you, from a script or with curl.
            {add}
          </Stack>
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
      <Modal opened={isCreating} onClose={() => setCreating(false)} title="New token" size="lg">
        <CreateToken onClose={() => setCreating(false)} />
      </Modal>
      <Modal
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title="Revoke this token?"
      >
        <Text size="sm" mb="md">
          Whatever uses <b>{revoking?.description}</b> is refused from now on. This cannot be
          undone.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setRevoking(undefined)}>
            Cancel
          </Button>
          <Button
            color="red"
            data-autofocus
            loading={revoke.isPending}
            onClick={() => revoking && revoke.mutate(revoking)}
          >
            Revoke
          </Button>
        </Group>
      </Modal>
    </Section>
  );
}
