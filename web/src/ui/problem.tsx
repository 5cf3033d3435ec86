import { Alert, Button, Group, Stack } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { ApiError } from '../api.ts';
import { ErrorId } from './error-id.tsx';
import { ReloadButton } from './reload-button.tsx';

/** How browsers report that a file of the UI is missing: after an upgrade, the old files are gone. */
const goneFile = /dynamically imported module|Importing a module script failed|preload CSS/i;

/** An error instead of the content, with its id in the server log. */
export function Problem({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const message = error instanceof Error ? error.message : 'Something went wrong';
  const id = error instanceof ApiError ? error.id : undefined;
  if (goneFile.test(message)) {
    return (
      <Alert color="yellow" title="New version available" role="alert">
        <ReloadButton />
      </Alert>
    );
  }
  return (
    <Alert color="red" title={message} role="alert">
      <Stack gap="xs">
        {id !== undefined && <ErrorId id={id} />}
        <Group>
          <Button size="xs" variant="default" onClick={() => void router.invalidate()}>
            Try again
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
