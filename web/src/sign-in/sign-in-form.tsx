import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, basePath } from '../api.ts';
import { read } from '../queries.ts';

interface Props {
  readonly onSignedIn: () => void;
  /** Who signed in before, where they sign in again. */
  readonly username?: string;
}

/** Asks for a name and a password, or leads to single sign-on, as the installation has it set up. */
export function SignInForm({ onSignedIn, username: known = '' }: Props) {
  const ways = useQuery(read('GET /auth/providers', {}));
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (username === '' || password === '') {
      setProblem('Enter your user name and your password.');
      return;
    }
    setSending(true);
    setProblem(undefined);
    try {
      await api('POST /auth/simple/login', { body: { username, password } });
      onSignedIn();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setSending(false);
    }
  }

  const hasPassword = ways.data?.password ?? true;
  const hasOidc = ways.data?.oidc ?? false;

  return (
    <Stack>
      {hasPassword && (
        <form onSubmit={submit} noValidate>
          <Stack>
            {problem !== undefined && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            <TextInput
              label="User name or e-mail"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              value={username}
              onChange={({ currentTarget }) => setUsername(currentTarget.value)}
              data-autofocus={known === '' || undefined}
              autoFocus={known === ''}
            />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
              data-autofocus={known !== '' || undefined}
              autoFocus={known !== ''}
            />
            <Button type="submit" loading={isSending}>
              Sign in
            </Button>
          </Stack>
        </form>
      )}
      {hasPassword && hasOidc && <Divider label="or" />}
      {hasOidc && (
        <Button component="a" variant="default" href={`${basePath}auth/oidc/login`}>
          Sign in with single sign-on
        </Button>
      )}
    </Stack>
  );
}
